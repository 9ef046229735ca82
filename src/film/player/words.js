// The player's own words in the language of a course: its table [words] has each text as it is seen in English, with {} for
// what changes, and its translation.

const translations = Object.entries(JSON.parse(byId('words')?.textContent || '{}')).filter(([, own]) => own)
  .sort(([a], [b]) => b.length - a.length)
  .map(([english, own]) => {
    const parts = english.split('{}').map((part) => part.replace(/[^\w\s]/g, '\\$&'));
    return { english, pattern: new RegExp(`^${parts.join('(.*?)')}$`, 's'), own };
  });

/** A text in the course's language, if the table has it. */
function translated(text) {
  const words = text.trim();
  for (const { pattern, own } of translations) {
    const [, ...changing] = pattern.exec(words) ?? [];
    if (pattern.test(words)) return text.replace(words, () => own.replaceAll('{}', () => changing.shift() ?? ''));
  }
  return text;
}

/** Texts that are not the player's: lessons, which the command translates, programs, and what readers write. */
const OTHERS = '#articles, #key, .lesson, .task, .program, .written, .editor, .changes, .variant, script, style';
const ATTRIBUTES = ['title', 'aria-label'];

/** What was put in place of a text of each node, or of its attributes: it is not translated again. */
const made = new WeakMap();

/** A sentence of the table with these nodes and words in place of each `{}`. */
function sentence(english, ...parts) {
  const whole = translations.find((one) => one.english === english)?.own ?? english;
  return whole.split('{}').flatMap((text, i) => [text, ...parts.slice(i, i + 1)].map((part) => {
    if (part instanceof Node) return part;
    const node = document.createTextNode(String(part));
    made.set(node, { data: node.data });
    return node;
  }));
}

/** Translates a text of a node, unless it is a translation. */
function replace(node, name, text, put) {
  const known = made.get(node) ?? {};
  if (known[name] === text) return;
  const own = translated(text);
  made.set(node, { ...known, [name]: own });
  if (own !== text) put(own);
}

/** Translates what is below a node. */
function localise(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (!node.parentElement || node.parentElement.closest(OTHERS)) return;
    replace(node, 'data', node.data, (own) => { node.data = own; });
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE || node.closest(OTHERS)) return;
  for (const name of ATTRIBUTES.filter((one) => node.hasAttribute(one))) {
    replace(node, name, node.getAttribute(name), (own) => node.setAttribute(name, own));
  }
  for (const child of [...node.childNodes, ...node.content?.childNodes ?? []]) localise(child);
}

if (translations.length > 0) {
  localise(document.body);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) (type === 'childList' ? addedNodes : [target]).forEach(localise);
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
}
