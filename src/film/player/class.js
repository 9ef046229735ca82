// What a class has handed in: links, one per line, as cards next to each other and as a table.

/**
 * A line's link, taken apart.
 * @typedef {{ line: number, link: string, name: string, number: number, said: string, version: string | null,
 *   answers: Map<string, string>, programs: [string, string][] }} Handed
 */

/** The sheet: links that were read, and what is said of lines. */
const sheet = { handed: /** @type {Handed[]} */ ([]), said: /** @type {string[]} */ ([]), table: /** @type {any[][]} */ ([]) };

/** The links of a text, each with the number of its line; a line without one has none. Mail programs may have escaped them. */
function linksOf(text) {
  return text.split('\n').flatMap((words, i) => {
    const found = words.split(/\s+/).map((word) => (/%23(film|pass)(=|%3D)/i.test(word) ? unescaped(word) : word))
      .filter((word) => word.includes('#')).map((word) => word.replace(/[)>\].,;"']+$/, ''));
    if (found.length === 0 && words.trim()) found.push('');
    return found.map((link) => ({ line: i + 1, link, words: words.trim() }));
  });
}

function unescaped(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** A link of a line, and what it contains; `said` tells why it is not read. */
async function readLink({ line, link, words }) {
  const place = new URLSearchParams(link.slice(link.indexOf('#') + 1));
  const number = Number(place.get('film') || 1) - 1;
  const name = (place.get('by') || '').trim();
  const handed = { line, link, name, number, said: '', version: place.get('version'), answers: new Map(), programs: [] };
  const who = `Line ${line}${name ? ` (${name})` : ''}`;
  if (!link) return { ...handed, said: `${who}: there is no link in “${words.slice(0, 40)}”` };
  if (!page.elements[number] || !lessonOfFilm(number)) return { ...handed, said: `${who}: this link is not one of a lesson of this page.` };
  try {
    const [programs, written] = await Promise.all(['programs', 'answers'].map(async (part) =>
      [...new Map(textsOf(place.get(part) ? await textOfLink(place.get(part)) : ''))]));
    return { ...handed, programs, answers: new Map(written) };
  } catch {
    return { ...handed, said: `${who}: this link is damaged. Ask for the whole link.` };
  }
}

const lessonOfFilm = (number) => page.lessons.find(({ dataset }) => Number(dataset.film) === number + 1);
const titleOf = (number) => `${number + 1}. ${lessonOfFilm(number).querySelector('h2').textContent}`;

/** Shows what links contain, by lesson and name: answers, changed lines, what the library says of them, and who is missing. */
async function showClass() {
  byId('class-list').replaceChildren(element('p', {}, 'One moment …'));
  await library.load();
  const names = byId('class-names').value.split('\n').map((name) => name.trim()).filter(Boolean);
  keep('fragstream class', names.length > 0 ? names.join('\n') : null);
  const read = [];
  for (const one of linksOf(byId('class-links').value)) read.push(await readLink(one));
  sheet.handed = read.filter(({ said }) => !said)
    .sort((a, b) => a.number - b.number || a.name.localeCompare(b.name) || a.line - b.line);
  sheet.said = read.map(({ said }) => said).filter(Boolean);
  for (const one of sheet.handed) {
    const here = versionOf(one.number, await film(one.number));
    if (one.version === here) continue;
    sheet.said.push(`Line ${one.line}${one.name ? ` (${one.name})` : ''}: made with version ${one.version ?? 'unknown'} of this lesson; ` +
      `this page has ${here}. Programs, numbers and questions may differ.`);
  }
  sheet.table = [];
  const sections = [];
  for (const number of new Set(sheet.handed.map((one) => one.number))) sections.push(await sectionOf(number, names));
  for (const one of read.filter(({ said }) => said)) sheet.table.push([one.line, one.name, ...Array(8).fill(''), one.said, one.link]);
  byId('class-said').replaceChildren(...sheet.said.map((said) => element('li', {}, said)));
  byId('class-list').replaceChildren(...sections);
  const count = sheet.handed.length;
  byId('class-count').textContent = `${count} ${count === 1 ? 'link' : 'links'}`;
  byId('save-class').disabled = read.length === 0;
}

/** A lesson's cards, and who of the class has handed in none. */
async function sectionOf(number, names) {
  const all = sheet.handed.filter((one) => one.number === number);
  const plain = (name) => name.normalize('NFKC').toLocaleLowerCase();
  const given = new Set(all.map(({ name }) => plain(name)));
  const missing = names.filter((name) => !given.has(plain(name)));
  const known = new Set(names.map(plain));
  const others = names.length === 0 ? [] : [...new Set(all.map(({ name }) => name))].filter((name) => !known.has(plain(name)));
  const section = element('section', {}, element('h3', {}, titleOf(number)));
  if (names.length > 0) {
    section.append(element('p', { class: 'missing' }, missing.length === 0 ? `All ${names.length} are here.`
      : `Missing are ${missing.length} of ${names.length}: ${missing.join(', ')}.`));
  }
  if (others.length > 0) section.append(element('p', { class: 'missing' }, `Not in the list: ${others.map((name) => name || '?').join(', ')}.`));
  const cards = element('div', { class: 'cards' });
  for (const one of all) cards.append(await cardOf(one));
  for (const name of missing) sheet.table.push(['', name, number + 1, titleOf(number), ...Array(6).fill(''), translated('missing'), '']);
  section.append(cards);
  return section;
}

/** One link's card, and its row of the table. */
async function cardOf({ line, link, name, number, programs, answers: written, version }) {
  const recorded = await film(number);
  const changed = programs.map(([program, text]) => changesOf(recorded, program, text));
  const parts = [...answersOf(lessonOfFilm(number))].map(({ dataset }) => dataset.part).reverse()
    .map((part) => ({ part, text: written.get(part) ?? '', said: saidOfNumbers(number, part, written.get(part) ?? '') }));
  const columns = ['question', 'exercise'].flatMap((part) => {
    const { text = '', said = '' } = parts.find((one) => one.part === part) ?? {};
    return [text, translated(said)];
  });
  sheet.table.push([line, name, number + 1, titleOf(number), ...columns,
    changed.map(({ program, lines }) => [program, ...lines.map((pair) => pair.join(' '))].join('\n')).join('\n'),
    changed.map(({ verdict }) => translated(verdict.text)).join('\n'),
    version === versionOf(number, recorded) ? '' : `version ${version ?? '?'}`, link]);
  return element('article', { class: 'handed-in' },
    element('h4', {}, element('a', { href: link.slice(link.indexOf('#')), title: `Line ${line}`, onclick: () => byId('class').close() }, name || 'without a name')),
    element('div', { class: 'sides' },
      element('div', {}, ...parts.flatMap(({ part, text, said }) => [
        element('h5', {}, part === 'question' ? 'Question' : 'Exercise'),
        element('p', { class: text ? 'written' : 'unwritten' }, text || 'No answer.'),
        said && text ? element('p', { class: 'numbers' }, said) : null].filter(Boolean))),
      element('div', {}, ...changed.flatMap(({ program, lines, verdict }) => [element('p', { class: 'kernel' }, program),
        element('pre', { class: 'changes' }, ...lines.map(([sign, text]) =>
          element('span', { class: sign === '+' ? 'added' : 'removed' }, `${sign} ${text}`))),
        element('p', { class: `verdict${verdict.isGood ? '' : ' bad'}` }, verdict.text)]),
      changed.length === 0 ? element('p', { class: 'verdict' }, 'No program was changed.') : null)));
}

// ---- Numbers ----

/** The numbers that an answer of the page has in bold, as words. */
function numbersAsked(number, part) {
  const found = byId('key')?.querySelectorAll(`[data-film="${number + 1}"] [data-part="${part}"] strong`) ?? [];
  return [...found].map(({ textContent }) => textContent.trim().replaceAll(/\s+/g, ' ')).filter((text) => numbersIn(text).length > 0);
}

/**
 * Everything that a text may mean by its numbers, each with a half of its last digit: `2 048`, `2,048` and `2.048` are read as
 * people of all countries write them.
 */
function numbersIn(text) {
  const found = [];
  const read = (digits, power) => {
    const [, decimals = ''] = digits.split('.');
    found.push([Number(`${digits}e${power}`), 0.5 * 10 ** (power - decimals.length)]);
  };
  const plain = text.replaceAll(/[−–]/g, '-').replaceAll(/[\u2009\u202f\u00a0’']/g, ' ');
  const numbers = /(\d{1,3}(?:[ .,]\d{3})+(?!\d)|\d+)([.,]\d+)?(?:\s*(?:e|[·*×x]\s*10\s*\^?)\s*([-+]?\d+))?/gi;
  for (const [, whole, decimals = '', power = '0'] of plain.matchAll(numbers)) {
    const end = decimals.replace(',', '.');
    read(whole.replaceAll(/[ .,]/g, '') + end, Number(power));
    const [, before, after] = /^(\d+)[.,](\d+)$/.exec(whole) ?? [];
    if (after && !end) read(`${before}.${after}`, Number(power));
    if (whole.includes(' ')) whole.split(' ').forEach((one) => read(one, 0));
  }
  return found;
}

/** Whether an answer has the numbers of the page: what a card says of it, or nothing where no number is asked. */
function saidOfNumbers(number, part, text) {
  const asked = numbersAsked(number, part);
  if (asked.length === 0 || !text) return '';
  const given = numbersIn(text);
  const lacking = asked.filter((one) => {
    // As the page prints it: digits in groups, a point, a power of ten.
    const [, digits, decimals = '', power = 0] = /^([\d\s]+)(?:\.(\d+))?(?:e(.+))?$/.exec(one.replace('−', '-')) ?? [];
    const wanted = Number(`${digits?.replaceAll(/\s/g, '')}.${decimals}e${power}`);
    const digit = decimals ? 0.5 * 10 ** (Number(power) - decimals.length) : 0;
    return !given.some(([value, half]) => Math.abs(value - wanted) <= 1.001 * Math.max(half < 0.06 * wanted ? half : 0, digit));
  });
  if (lacking.length === asked.length) return `On the page: ${asked.join(', ')}.`;
  return lacking.length === 0 ? 'Numbers as on the page.' : `On the page: ${asked.join(', ')}. Not found here: ${lacking.join(', ')}.`;
}

// ---- Changed programs ----

/** A program's changed lines, and what is to be said of its text. */
function changesOf({ kernels, texts }, name, text) {
  const kernel = kernels.find((one) => one.name === name);
  const program = name.split(' ')[0];
  if (!kernel) return { program, lines: [], verdict: { isGood: false, text: `${name}: this lesson has no such program.` } };
  const recorded = texts[kernel.fragment];
  return { program, lines: changedLines(editableText(recorded).split('\n'), text.split('\n')),
    verdict: verdictOf(library.check(withBody(recorded, text)), kernel) };
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

// ---- The table ----

const COLUMNS = ['line', 'name', 'lesson', 'title', 'question', 'numbers of the question', 'exercise', 'numbers of the exercise',
  'changed lines', 'verdict', 'remark', 'link'];

/** The sheet as CSV (RFC 4180). A cell that a spreadsheet would compute begins with an apostrophe. */
function csvOf(rows) {
  const cell = (value) => {
    const text = String(value).replaceAll(/\r?\n/g, '\n');
    const safe = /^[=+\-−@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `\ufeff${[COLUMNS.map(translated), ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function saveClass() {
  const href = URL.createObjectURL(new Blob([csvOf(sheet.table)], { type: 'text/csv' }));
  element('a', { href, download: 'class.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

// ---- For teachers ----

function openClass() {
  byId('hand-in').close();
  byId('class-names').value ||= recalled('fragstream class') ?? '';
  byId('class').showModal();
}

/** Shows the answers of all lessons. */
function openKey() {
  const key = byId('key');
  if (!key) return;
  for (const one of document.querySelectorAll('dialog[open]')) one.close();
  byId('answers-list').append(key);
  for (const link of key.querySelectorAll('a')) link.onclick = () => byId('answers').close();
  byId('answers').showModal();
}
