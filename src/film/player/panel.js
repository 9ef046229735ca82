// The program of a pass on the screen: its text, its instructions on a card of 2003, and the box to edit it.

/** Milliseconds after a letter until the text is checked. */
const TYPING = 150;

class ProgramPanel {
  constructor(view, panel) {
    this.view = view;
    this.panel = panel;
    /** What was shown before, by kernel and form: to lay it out again takes longer than to hide it. */
    this.shown = new Map();
    /** Texts that were changed and not run yet, by kernel. */
    this.drafts = new Map();
    this.inAssembly = false;
    this.isEditing = false;
    panel.addEventListener('scroll', () => { this.isScrolled = true; });
    this.makeHead();
  }

  makeHead() {
    const button = (name, title, onclick) => element('button', { type: 'button', title, onclick }, name);
    this.assemblyButton = button('Assembly', 'Instructions on a card of 2003 (I)', () => this.toggleAssembly());
    this.editButton = button('Edit', 'Edit this program (E)', () => this.edit());
    this.length = element('span', { class: 'what' });
    this.text = element('textarea', {
      class: 'text', spellcheck: false, wrap: 'off', 'aria-label': 'Text of the program',
      oninput: () => {
        this.drafts.set(this.kernel, this.text.value);
        this.view.onDraft(this.view.film.kernels[this.kernel].name, this.text.value);
        this.numberLines();
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.check(this.text.value), TYPING);
      },
      onscroll: () => { this.lines.scrollTop = this.text.scrollTop; },
      onkeydown: (event) => {
        if (event.key === 'Escape') this.edit(false);
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.run(this.text.value);
      },
    });
    this.message = element('p', { class: 'message', role: 'status' });
    this.verdict = element('p', { class: 'verdict', 'aria-live': 'polite' });
    this.runOnButton = button('Run to the end', 'Run the whole lesson with this text: the CPU decides again', () => this.runOn());
    this.running = element('div', { class: 'running' },
      button('Run', 'Run the film with this text (Ctrl+Enter)', () => this.run(this.text.value)),
      this.runOnButton, button('Reset', 'The recorded text again', () => this.run(null)), this.message, this.verdict);
    this.lines = element('pre', { class: 'lines', 'aria-hidden': true });
    this.editor = element('div', { class: 'editor' }, this.lines, this.text);
    this.forms = element('p', { class: 'forms' }, this.assemblyButton, ' ', this.editButton, ' ', this.length);
    // The exercise of a lesson stays in sight while its program is edited.
    this.task = element('div', { class: 'task' });
    const exercise = this.view.lesson?.querySelector('.exercise');
    if (exercise) {
      this.task.append(exercise.cloneNode(true));
      for (const one of [exercise, this.task]) {
        const start = one.querySelector('.try');
        start.onclick = () => this.tryOut(start.dataset);
      }
    }
    this.panel.append(this.forms, this.task, this.editor, this.running);
  }

  /** Shows the program of the pass that the view is at. */
  render() {
    const { nearPass, replay } = this.view;
    if (!nearPass) return;
    this.given?.remove();
    this.given = givenList(this.view.film, nearPass, Boolean(this.view.onRunOn));
    const { kernel } = nearPass;
    const isEditing = this.isEditing && Boolean(replay);
    const { instructions, fetches, assembly } = this.view.film.kernels[kernel];
    const isRecorded = !replay?.edits.has(kernel);
    const inAssembly = this.inAssembly && isRecorded && assembly !== null;
    this.assemblyButton.disabled = !isRecorded || assembly === null;
    this.assemblyButton.setAttribute('aria-pressed', inAssembly);
    this.editButton.hidden = !replay;
    this.editButton.setAttribute('aria-pressed', isEditing);
    for (const one of [this.running, this.editor, this.task]) one.hidden = !isEditing;
    this.runOnButton.hidden = !this.view.onRunOn;
    this.panel.classList.toggle('editing', isEditing);
    if (this.view.root.classList.contains('writing') !== isEditing) {
      this.view.root.classList.toggle('writing', isEditing);
      this.view.placeLedger();
    }
    this.length.textContent = isRecorded && instructions !== null
      ? `${instructions} instructions, ${fetches} of them fetches` : '';
    if (this.editorOf !== kernel) {
      this.editorOf = kernel;
      this.text.value = this.drafts.get(kernel) ?? editableText(this.textOf(kernel));
      this.numberLines();
      this.tellEdit(kernel);
      this.check(this.text.value);
    }
    this.showText(kernel, isEditing ? 'edited' : inAssembly ? 'assembly' : 'text');
    this.panel.append(this.given);
  }

  get kernel() {
    return this.view.nearPass.kernel;
  }

  showText(kernel, form) {
    const key = `${kernel} ${form}`;
    if (this.key === key) return;
    this.shown.get(this.key)?.classList.add('away');
    this.key = key;
    if (!this.shown.has(key) && form !== 'edited') {
      const { assembly } = this.view.film.kernels[kernel];
      // A text that was edited has other instructions.
      const listed = this.view.replay?.edits.has(kernel) ? null : assembly;
      const made = (form === 'assembly' ? assemblyText : programText)(this.textOf(kernel), listed);
      this.shown.set(key, made);
      this.panel.append(made);
    }
    this.shown.get(key)?.classList.remove('away');
    // To ask for a place, or to set it, has the whole page laid out.
    if (this.isScrolled) this.panel.scrollTop = 0;
    this.isScrolled = false;
  }

  textOf(kernel) {
    const { replay, film } = this.view;
    return replay ? replay.textOf(kernel) : film.texts[film.kernels[kernel].fragment];
  }

  toggleAssembly() {
    this.inAssembly = !(this.inAssembly && this.view.opened === 'Program' && !this.isEditing);
    this.isEditing = false;
    this.view.open('Program');
    this.render();
  }

  // ---- The reader's text ----

  /** Opens the box, or closes it. What was changed in it and not run stays. */
  edit(isEditing = !this.isEditing) {
    if (!this.view.replay || !this.view.nearPass) return;
    this.isEditing = isEditing;
    this.view.open('Program');
    this.render();
    if (isEditing) this.text.focus();
    else this.editButton.focus();
    if (isEditing && library.isThere) library.load().then(() => this.check(this.text.value));
  }

  /** Does an exercise: goes to its pass, replaces a part of the recorded text, runs that, and selects the new part. */
  tryOut({ pass, replace, by }) {
    const { film, recorded, replay, onGo } = this.view;
    if (!replay) return;
    if (film !== recorded) {
      runAsRecorded().then(() => page.views[0].program.tryOut({ pass, replace, by }));
      return;
    }
    onGo(Number(pass));
    const own = editableText(film.texts[film.kernels[this.kernel].fragment]);
    // Blanks and line breaks may be elsewhere.
    const letters = [...replace.replaceAll(/\s/g, '')].map((one) => one.replace(/[^\w]/, '\\$&'));
    const found = new RegExp(letters.join('\\s*')).exec(own);
    this.edit(true);
    this.run(own.replace(found[0], () => by), true);
    this.mark(found.index, by.length);
  }

  /** Selects a part of the text, and scrolls to it. */
  mark(start, length) {
    const { text } = this;
    const number = text.value.slice(0, start).split('\n').length;
    text.focus({ preventScroll: true });
    text.setSelectionRange(start, start + length);
    text.scrollTop = (text.scrollHeight / text.value.split('\n').length) * (number - 5);
    text.scrollLeft = 0;
  }

  /** Numbers the lines of the box; those in which the browser found a fault stand out. */
  numberLines(wrong = []) {
    this.lines.replaceChildren(...this.text.value.split('\n').flatMap((_, i) =>
      [element('span', { class: wrong.includes(i + 1) ? 'wrong' : '' }, String(i + 1)), '\n']));
    this.lines.scrollTop = this.text.scrollTop;
  }

  /** Has the library check a text, and say what it costs. Returns whether a card of 2003 could run it. */
  check(body) {
    const checked = library.check(withBody(this.textOf(this.kernel), body));
    this.verdict.textContent = '';
    if (checked === null) return true;
    const { text, isGood } = verdictOf(checked, this.recordedKernel ?? this.view.film.kernels[this.kernel]);
    this.verdict.textContent = text;
    this.verdict.classList.toggle('bad', !isGood);
    this.numberLines(checked.violations.map(([line]) => line));
    return isGood;
  }

  /** This pass's program as recorded; a run of the library may have others. */
  get recordedKernel() {
    const { recorded, film } = this.view;
    return recorded.kernels.find(({ name }) => name === film.kernels[this.kernel].name);
  }

  /** The recorded text, as it is edited. */
  get recordedText() {
    return this.recordedKernel ? editableText(this.view.recorded.texts[this.recordedKernel.fragment]) : null;
  }

  /**
   * Runs the film with this text in place of the kernel's, from its first pass on; without one, as recorded. Returns
   * whether it does: a text that breaks a rule does not run, unless it is that of an exercise, which was checked before.
   */
  run(body, isChecked = false) {
    const { view, kernel } = this;
    if (body !== null && !isChecked && library.isThere && !library.isReady) {
      this.tell('The library is unpacked …');
      library.load().then(() => this.run(body));
      return false;
    }
    const own = body?.trimEnd() === this.recordedText ? null : body;
    if (own !== null && !isChecked && !this.check(own)) {
      this.tell('');
      return false;
    }
    try {
      view.replay.edit(kernel, own);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      this.refuse(error.message);
      return false;
    }
    this.drafts.delete(kernel);
    for (const form of ['text', 'assembly']) {
      this.shown.get(`${kernel} ${form}`)?.remove();
      this.shown.delete(`${kernel} ${form}`);
    }
    Object.assign(this, { key: null, editorOf: null });
    Object.assign(view, { distanceOf: null, counted: null });
    view.onWork(view.film.kernels[kernel].name, own);
    view.onDraft(view.film.kernels[kernel].name, null);
    view.again();
    return true;
  }

  /** Runs this text, and then the whole lesson with it. */
  async runOn() {
    await library.load();
    if (this.run(this.text.value)) this.view.onRunOn();
  }

  tell(words) {
    this.message.textContent = words;
  }

  /** Shows the browser's log, such as `ERROR: 0:12: …`, marks the lines that it names, and selects the first of them. */
  refuse(log) {
    const place = /(?:ERROR: )?\b0:(\d+)(?:\(\d+\))?:/g;
    this.message.textContent = log.slice(Math.max(log.search(place), 0)).replaceAll(place, 'line $1:');
    const lines = this.text.value.split('\n');
    const wrong = [...log.matchAll(place)].map(([, number]) => Number(number)).filter((number) => lines[number - 1] !== undefined);
    this.numberLines(wrong);
    if (wrong.length === 0) return;
    const before = lines.slice(0, wrong[0] - 1).map((line) => `${line}\n`).join('');
    this.mark(before.length, lines[wrong[0] - 1].length);
  }

  /** Runs a reader's texts, by the names of programs. One that does not run is in the box, and so are those not run yet. */
  takeTexts(texts, drafts) {
    const { film, replay } = this.view;
    film.kernels.forEach(({ name }, kernel) => { if (drafts.has(name)) this.drafts.set(kernel, drafts.get(name)); });
    for (const [name, body] of texts) {
      const kernel = film.kernels.findIndex((one) => one.name === name);
      if (kernel < 0 || bodyOf(film.texts[film.kernels[kernel].fragment]) === body.trimEnd()) continue;
      try {
        replay.edit(kernel, body);
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        this.drafts.set(kernel, body);
      }
    }
  }

  tellEdit(kernel) {
    const { film, recorded, replay, onGo } = this.view;
    this.tell('');
    if (film !== recorded) {
      this.message.append(`Your run, in which the CPU decided again: ${film.passes.length} passes ` +
        `(${recorded.passes.length} as recorded). `, element('button', { type: 'button', class: 'link', onclick: runAsRecorded },
        'The recorded run'));
    }
    if (!replay?.edits.has(kernel)) return;
    const { number } = film.events[replay.firstPassOf(kernel)];
    this.message.append(...sentence('Your text runs from {} on.', element('button', {
      type: 'button', class: 'link', onclick: () => onGo(number),
    }, `pass ${number}`)));
    if (this.view.lesson && !this.view.onRunOn) {
      const decides = film.events.slice(0, film.passes[film.passes.length - 1]).some(({ kind }) => kind === 'read' || kind === 'count');
      this.message.append(decides ? ' What the CPU decided stays as recorded: the data of this film are not in the page.'
        : ' The CPU decides nothing in this film: this is its run to the end.');
    }
  }
}

/** What the pass gives to the program's inputs. */
function givenList(film, event, runsOn) {
  const streams = Object.entries(event.streams).map(([name, stream]) => {
    const { label, size } = film.streams[stream];
    return [name, `stream ${label}, ${size[0]} × ${size[1]}`];
  });
  const constants = Object.entries(event.constants).map(([name, span]) =>
    [name, [...film.span(span)].map(exactNumber).join(', ')]);
  const { label } = film.streams[event.target];
  const rows = [['result', `stream ${label}${event.feedback ? ', which it also reads' : ''}`],
    ...streams, ...constants];
  return element('div', { class: 'given' }, table([], rows), element('p', { class: 'recorded' },
    runsOn ? 'Constants are as in the recording: the CPU does not compute them again, unless you run to the end.'
      : 'Constants are as in the recording: the CPU does not compute them again.'));
}

/** The text of a program; a click on a line shows its instructions, or hides them. */
function programText(text, assembly) {
  const pre = element('pre', { class: 'program' });
  const listed = instructionsByLine(assembly);
  let leads = true;
  for (const { number, pieces: line } of readableLines(text)) {
    // What an author says before the first line of code; a projector has no room for it.
    leads = leads && line.every(({ kind }) => kind === 'comment');
    const own = listed.get(number);
    const made = element('span', { class: `line${leads ? ' lead' : ''}${own ? ' counted' : ''}` },
      ...line.map(({ text: words, kind, title }) => (kind === 'code' ? words
        : element('span', { class: kind, title: title || '' }, words))), '\n');
    pre.append(made);
    if (own) {
      const shown = element('span', { hidden: true }, ...own.map(instruction));
      made.title = `${own.length} instruction${own.length > 1 ? 's' : ''}`;
      made.addEventListener('click', () => { shown.hidden = !shown.hidden; });
      pre.append(shown);
    }
  }
  return pre;
}

/** The listing of a program, each line of the text in front of the instructions that it becomes. */
function assemblyText(text, { text: listing, lines }) {
  const pre = element('pre', { class: 'program' });
  const readable = new Map(readableLines(text).map((line) => [line.number, plainText(line).trim()]));
  const all = listing.trimEnd().split('\n');
  const head = all.length - lines.length - 1;
  let last = 0;
  all.forEach((line, i) => {
    const number = lines[i - head] ?? 0;
    const comment = number !== last && readable.get(number);
    if (comment) pre.append(element('span', { class: 'line comment' }, `# ${comment}\n`));
    last = number;
    pre.append(instruction(line));
  });
  return pre;
}

function instructionsByLine(assembly) {
  const found = new Map();
  const all = assembly?.text.trimEnd().split('\n').slice(-assembly.lines.length - 1, -1) ?? [];
  all.forEach((line, i) => {
    const number = assembly.lines[i];
    if (number > 0) found.set(number, [...(found.get(number) ?? []), line]);
  });
  return found;
}

/** A line of a listing: what fetches stands out, as it does in the text. */
function instruction(line) {
  const [word] = /^[!A-Za-z0-9_.]*/.exec(line);
  const kind = word.startsWith('TEX') ? 'machine' : 'word';
  return element('span', { class: 'instruction' },
    element('span', { class: kind }, word), `${line.slice(word.length)}\n`);
}
