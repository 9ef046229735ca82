// What readers write: kept in the browser and in the address, and handed in as a link.

/** Texts of one kind by name, of each film: kept in this browser, and packed as a part of links. */
const keeper = (kind) => ({
  texts: new Map(),
  /** The part of the address, for each film. */
  packed: new Map(),

  /** The name under which the browser keeps them: lessons only. */
  key: (number) => (page.lessons.length > 0 ? `fragstream ${PAGE_TITLE} ${number + 1}${kind}` : null),

  /** The texts of a film: of the link that was followed, or those that the browser has kept. */
  of(number) {
    if (!this.texts.has(number)) {
      this.texts.set(number, new Map(textsOf(recalled(this.key(number)))));
      this.pack(number);
    }
    return this.texts.get(number);
  },

  /** Takes a text, or without one forgets it, and keeps them all. */
  take(number, name, text) {
    const texts = this.of(number);
    if (text === null) texts.delete(name);
    else texts.set(name, text);
    keep(this.key(number), texts.size > 0 ? JSON.stringify([...texts]) : null);
    return this.pack(number);
  },

  /** Whether the texts are those that this browser has kept, not those of somebody else's link. */
  isOwn(number) {
    return JSON.stringify([...this.of(number)]) === (recalled(this.key(number)) || '[]');
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
});

/** Texts by program: what runs in place of the recorded ones. */
const work = Object.assign(keeper(''), {
  draftKey: (number) => work.key(number) && `${work.key(number)} drafts`,

  /** The reader's own texts that were typed and have not run. */
  drafts: (number) => new Map(work.isOwn(number) ? textsOf(recalled(work.draftKey(number))) : []),

  /** Keeps what is typed, or without a text forgets it. */
  note(number, program, body) {
    if (!work.isOwn(number)) return;
    const drafts = work.drafts(number);
    if (body === null) drafts.delete(program);
    else drafts.set(program, body);
    keep(work.draftKey(number), drafts.size > 0 ? JSON.stringify([...drafts]) : null);
  },
});

/** Answers to the parts of a lesson, `question` and `exercise`. */
const answers = keeper(' answers');

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

// ---- Answers and hints ----

const answersOf = (lesson) => lesson.querySelectorAll('[data-part]');

/** Shows the answers of this reader, or of the link that was followed, in the fields of a lesson. */
function showAnswers(lesson, number) {
  for (const field of answersOf(lesson)) field.value = answers.of(number).get(field.dataset.part) ?? '';
}

/** Keeps an answer while it is typed. */
function takeAnswer({ dataset, value }, number) {
  answers.take(number, dataset.part, value.trim() ? value : null).then(rememberSoon);
}

/** Shows the next hint of an exercise; its button goes with the last one. */
function showHint(button) {
  const [hint, ...more] = button.closest('.exercise').querySelectorAll('.hint[hidden]');
  if (hint) hint.hidden = false;
  if (more.length === 0) button.hidden = true;
}

// ---- Hand in ----

/** Names a state of a lesson: programs, numbers and questions of another one may differ. */
function versionOf(number, { made }) {
  const asked = page.lessons[lessonOf(number)].querySelector('.question p')?.textContent ?? '';
  let hash = 0x811c9dc5;
  for (const letter of page.elements[number].textContent + asked) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return `${made.version}-${(hash >>> 0).toString(36)}`;
}

/** The link to what is shown, with the reader's texts, answers and name. */
function handedIn(number, name) {
  const [{ at, recorded }] = page.views;
  const place = [`film=${number + 1}`, `pass=${at.passes}`];
  if (name) place.push(`by=${encodeURIComponent(name)}`);
  place.push(`version=${versionOf(number, recorded)}`);
  if (page.again.has(number)) place.push('again=1');
  for (const [part, { packed }] of Object.entries({ programs: work, answers })) {
    if (packed.get(number)) place.push(`${part}=${packed.get(number)}`);
  }
  return `${location.href.split('#')[0]}#${place.join('&')}`;
}

async function openHandIn() {
  const [number] = page.numbers;
  const name = byId('own-name');
  const tell = () => {
    keep('fragstream name', name.value);
    byId('own-link').value = handedIn(number, name.value.trim());
  };
  name.value = recalled('fragstream name') || '';
  name.oninput = tell;
  await answers.pack(number);
  tell();
  const [programs, written] = [work.of(number).size, answers.of(number).size];
  byId('own-work').textContent = programs === 0 ? 'You have not run a text of your own in this lesson yet.'
    : programs === 1 ? 'The link contains your text of one program.' : `The link contains your text of ${programs} programs.`;
  byId('own-answers').textContent = written === 0 ? 'You have not written an answer in this lesson yet.'
    : written === 1 ? 'The link contains one answer.' : `The link contains ${written} answers.`;
  byId('own-file').hidden = location.protocol !== 'file:';
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
