// The player's own words in the language of a course: its table [words] has each text as it is seen in English, with {} for
// what changes, and its translation.

const translations = Object.entries(JSON.parse(byId('words')?.textContent || '{}'))
  .sort(([a], [b]) => b.length - a.length)
  .map(([english, own]) => {
    const parts = english.split('{}').map((part) => part.replace(/[^\w\s]/g, '\\$&'));
    return { pattern: new RegExp(`^${parts.join('(.*?)')}$`, 's'), own };
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

/** Texts that are not the player's: lessons, programs, and what readers write. */
const OTHERS = '#articles, .lesson, .program, .editor, .changes, .variant, script, style';
const ATTRIBUTES = ['title', 'aria-label'];

/** Translates what is below a node. */
function localise(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (!node.parentElement || node.parentElement.closest(OTHERS)) return;
    const own = translated(node.data);
    if (own !== node.data) node.data = own;
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE || node.closest(OTHERS)) return;
  for (const name of ATTRIBUTES.filter((one) => node.hasAttribute(one))) {
    const [text, own] = [node.getAttribute(name), translated(node.getAttribute(name))];
    if (own !== text) node.setAttribute(name, own);
  }
  for (const child of [...node.childNodes, ...node.content?.childNodes ?? []]) localise(child);
}

if (translations.length > 0) {
  localise(document.body);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) (type === 'childList' ? addedNodes : [target]).forEach(localise);
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
}
