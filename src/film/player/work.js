// What readers write: kept in the browser and in the address, handed in as a link, and seen side by side by who teaches.

/** Texts by program, of each film: what runs in place of the recorded ones. */
const work = {
  texts: new Map(),
  /** The part of the address, for each film. */
  packed: new Map(),

  /** The name under which the browser keeps them: lessons only. */
  key: (number) => (page.lessons.length > 0 ? `fragstream ${PAGE_TITLE} ${number + 1}` : null),

  /** The texts of a film: of the link that was followed, or those that the browser has kept. */
  of(number) {
    if (!this.texts.has(number)) {
      this.texts.set(number, new Map(textsOf(recalled(this.key(number)))));
      this.pack(number);
    }
    return this.texts.get(number);
  },

  /** Takes a text of a program, or without one forgets it, and keeps them all. */
  take(number, program, body) {
    const texts = this.of(number);
    if (body === null) texts.delete(program);
    else texts.set(program, body);
    keep(this.key(number), texts.size > 0 ? JSON.stringify([...texts]) : null);
    return this.pack(number);
  },

  /** Whether the texts are those that this browser has kept, not those of somebody else's link. */
  isOwn(number) {
    return JSON.stringify([...this.of(number)]) === (recalled(this.key(number)) || '[]');
  },

  draftKey: (number) => work.key(number) && `${work.key(number)} drafts`,

  /** The reader's own texts that were typed and have not run. */
  drafts(number) {
    return new Map(this.isOwn(number) ? textsOf(recalled(this.draftKey(number))) : []);
  },

  /** Keeps what is typed, or without a text forgets it. */
  note(number, program, body) {
    if (!this.isOwn(number)) return;
    const drafts = this.drafts(number);
    if (body === null) drafts.delete(program);
    else drafts.set(program, body);
    keep(this.draftKey(number), drafts.size > 0 ? JSON.stringify([...drafts]) : null);
  },

  /** Takes the texts of a link. They are not kept before they are changed. */
  async follow(number, part) {
    this.texts.set(number, new Map(textsOf(await textOfLink(part))));
    this.packed.set(number, part);
  },

  async pack(number) {
    const texts = [...this.of(number)];
    this.packed.set(number, texts.length > 0 ? await pack(JSON.stringify(texts)) : '');
  },
};

/** The texts in a part of a link, which may be damaged or too long. */
async function textOfLink(part) {
  const text = await unpackText(part);
  if (text === undefined) throw new RangeError('too long');
  return text;
}

/**
 * Pairs of a program's name and its text, whatever was kept or sent.
 * @type {(json: string | null) => any}
 */
function textsOf(json) {
  try {
    const list = JSON.parse(json || '[]');
    return Array.isArray(list) ? list.filter((one) => Array.isArray(one)).map(([name, text]) => [String(name), String(text)]) : [];
  } catch {
    return [];
  }
}

/** What the browser has kept; some keep nothing for files. */
function recalled(key) {
  try {
    return key && localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key, text) {
  if (!key) return;
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The address has it, too.
  }
}

// ---- Hand in ----

/** The link to what is shown, with the reader's texts and name. */
function handedIn(number, name) {
  const place = [`film=${number + 1}`, `pass=${page.views[0].at.passes}`];
  if (name) place.push(`by=${encodeURIComponent(name)}`);
  if (page.again.has(number)) place.push('again=1');
  const programs = work.packed.get(number);
  if (programs) place.push(`programs=${programs}`);
  return `${location.href.split('#')[0]}#${place.join('&')}`;
}

function openHandIn() {
  const [number] = page.numbers;
  const name = byId('own-name');
  const tell = () => {
    keep('fragstream name', name.value);
    byId('own-link').value = handedIn(number, name.value.trim());
  };
  name.value = recalled('fragstream name') || '';
  name.oninput = tell;
  tell();
  const count = work.of(number).size;
  byId('own-work').textContent = count === 0 ? 'You have not run a text of your own in this lesson yet.'
    : count === 1 ? 'The link contains your text of one program.' : `The link contains your text of ${count} programs.`;
  byId('hand-in').showModal();
}

async function copyLink() {
  byId('own-link').select();
  try {
    await navigator.clipboard.writeText(byId('own-link').value);
    byId('own-work').textContent = 'Copied.';
  } catch {
    byId('own-work').textContent = 'Press Ctrl+C to copy it.';
  }
}

// ---- A class ----

/** Shows what links contain, one card each: name, lesson, changed lines and what the library says of them. */
async function showClass() {
  const links = byId('class-links').value.split(/\s+/).filter((word) => word.includes('#'));
  byId('class-list').replaceChildren(element('p', {}, 'One moment …'));
  await library.load();
  const cards = [];
  for (const link of links) cards.push(await cardOf(link));
  byId('class-list').replaceChildren(...cards);
  byId('class-count').textContent = `${cards.length} ${cards.length === 1 ? 'link' : 'links'}`;
}

async function cardOf(link) {
  const place = new URLSearchParams(link.slice(link.indexOf('#') + 1));
  const number = Number(place.get('film') || 1) - 1;
  const card = element('article', { class: 'handed-in' }, element('h3', {}, place.get('by') || 'without a name'));
  const lesson = page.lessons.find(({ dataset }) => Number(dataset.film) === number + 1);
  if (!page.elements[number] || !lesson) {
    card.append(element('p', { class: 'verdict bad' }, 'This link is not one of a lesson of this page.'));
    return card;
  }
  card.append(element('p', {}, element('a', { href: link.slice(link.indexOf('#')), onclick: () => byId('class').close() },
    lesson.querySelector('h2').textContent)));
  try {
    const texts = [...new Map(textsOf(place.get('programs') ? await textOfLink(place.get('programs')) : ''))];
    const recorded = await film(number);
    card.append(...texts.flatMap(([name, text]) => changesOf(recorded, name, text)));
    if (texts.length === 0) card.append(element('p', { class: 'verdict' }, 'No program was changed.'));
  } catch {
    card.append(element('p', { class: 'verdict bad' }, 'The programs of this link are damaged. Ask for the whole link.'));
  }
  return card;
}

/** A program's changed lines, and what is to be said of its text. */
function changesOf({ kernels, texts }, name, text) {
  const kernel = kernels.find((one) => one.name === name);
  if (!kernel) return [element('p', { class: 'verdict bad' }, `${name}: this lesson has no such program.`)];
  const recorded = texts[kernel.fragment];
  const lines = changedLines(editableText(recorded).split('\n'), text.split('\n'));
  const said = verdictOf(library.check(withBody(recorded, text)), kernel);
  return [element('p', { class: 'kernel' }, name.split(' ')[0]),
    element('pre', { class: 'changes' }, ...lines.map(([sign, line]) =>
      element('span', { class: sign === '+' ? 'added' : 'removed' }, `${sign} ${line}`))),
    element('p', { class: `verdict${said.isGood ? '' : ' bad'}` }, said.text)];
}

/** The lines of one text that the other lacks (−), and the other's (+), in order: all but the longest common sequence. */
function changedLines(before, after) {
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i][j] = before[i] === after[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) [i, j] = [i + 1, j + 1];
    else if (j >= after.length || (i < before.length && longest[i + 1][j] >= longest[i][j + 1])) lines.push(['−', before[i++]]);
    else lines.push(['+', after[j++]]);
  }
  return lines;
}

/** What the library says of a text, next to what was recorded. */
function verdictOf(checked, { instructions }) {
  if (checked === null) return { isGood: true, text: 'This page cannot check it here.' };
  const { violations, count } = checked;
  if (violations.length > 0) return { isGood: false, text: violations.map(([, what]) => what).join('\n') };
  if (!count) return { isGood: true, text: 'It keeps the rules of 2003.' };
  const change = count.instructions === instructions || instructions === null ? '' : ` (${instructions} as recorded)`;
  return { isGood: true, text: `${count.instructions} instructions${change}, ${count.fetches} of them fetches. ` +
    `Registers: ${count.registers}. ${count.fits}` };
}

function openClass() {
  byId('hand-in').close();
  byId('class').showModal();
}
