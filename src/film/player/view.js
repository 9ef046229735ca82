// One film on the screen: the target and its inputs, the program, one texel, the ledger.

function bytesText(bytes) {
  if (bytes < 10000) return `${grouped(bytes)} B`;
  return bytes < 1e7 ? `${grouped(Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function timeText(seconds) {
  if (seconds === 0) return '0';
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(seconds < 1e-5 ? 1 : 0)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(2)} ms` : `${seconds.toFixed(2)} s`;
}

/** Outlines of what a fragment fetched, and of the texel that was chosen. */
const FETCHED = '#0a7a3d';
const MISSED = '#b45309';
const CHOSEN = '#c2185b';
/** Fetches of a fragment up to which those of its whole batch are traced. */
const MOST_CACHED = 256;

class FilmView {
  /**
   * `onGo` is asked for a pass; `onPlace` hears that another texel or stream is looked at, `onPeers` that all views of this
   * film have drawn something else, `onWork` which text of a program runs, and `onDraft` which one is typed. `onRunOn` has the
   * library run them to the end.
   */
  constructor(film, stage, { lesson = null, recorded = film, title = film.title, onGo, onPlace, onPeers, onWork, onDraft, onRunOn }) {
    this.film = film;
    /** The film of the page: another one if the library has run it again. */
    this.recorded = recorded;
    this.onPeers = onPeers;
    this.onWork = onWork;
    this.onDraft = onDraft;
    this.onRunOn = onRunOn;
    this.lesson = lesson;
    /** Views of the same film that show the same as this one, which is one of them. */
    this.peers = [this];
    this.onGo = onGo;
    this.onPlace = onPlace;
    const template = document.getElementById('film-template');
    this.root = template.content.firstElementChild.cloneNode(true);
    stage.append(this.root);
    this.mode = { mode: 'one', channel: 0 };
    this.range = 'pass';
    this.zoom = 1;
    this.centre = null;
    this.asRecorded = null;
    this.shownStream = null;
    this.chosen = null;
    this.counted = null;
    this.inBatches = true;
    this.frame = null;
    this.part = (name) => this.root.querySelector(`.${name}`);
    this.makeTabs(lesson);
    this.makeControls();
    this.part('film-title').textContent = title;
    this.part('film-source').textContent = sourceText(film);
    this.program = new ProgramPanel(this, this.panels.get('Program'));
    this.thumbnails = [];
    try {
      this.replay = this.newReplay();
      this.ready = this.warmUp(this.replay, this.replay.warmUp());
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      this.giveUp(error);
    }
  }

  /** Executes the film. A context that is lost comes back, and then so does the film. */
  newReplay() {
    const canvas = document.createElement('canvas');
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => this.recover());
    return new Replay(this.film, canvas);
  }

  /** Starts to execute the film again, with the reader's texts. */
  recover() {
    if (!this.root.isConnected) return;
    const texts = [...(this.replay ?? this.lost)?.edits ?? []];
    try {
      this.replay = this.newReplay();
      this.root.querySelectorAll('.lost').forEach((note) => note.remove());
      for (const [kernel, text] of texts) this.replay.edit(kernel, bodyOf(text));
      Object.assign(this, { asRecorded: null, distanceOf: null });
      this.show(this.number);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      this.giveUp(error);
    }
  }

  /** Has programs made ready, the next one when one is done, so that a step waits for one at most. */
  async warmUp({ gl }, programs) {
    await after(0);
    while (!gl.isContextLost() && !programs.next().done) {
      const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
      do await after(4);
      while (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED);
      gl.deleteSync(fence);
    }
  }

  /** Without float targets the page remains a document. */
  giveUp(error) {
    this.lost = this.replay;
    this.replay = null;
    const again = this.lost?.gl.isContextLost() ? element('button', { type: 'button', onclick: () => this.recover() }, 'Try again') : null;
    this.root.querySelectorAll('.lost').forEach((note) => note.remove());
    this.part('frame').after(element('p', { class: 'note lost' }, `${error.message} The film cannot ` +
      'be executed here. Its programs, its ledger and the last target as recorded are still shown. ', again ?? ''));
  }

  remove() {
    clearTimeout(this.later);
    for (const one of [this.replay, this.asRecorded]) one?.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.root.remove();
  }

  /** The recorded programs, run here up to this stop: what an edited run is compared with. */
  get reference() {
    this.asRecorded ??= new Replay(this.film);
    this.asRecorded.goTo(this.at.events);
    return this.asRecorded;
  }

  // ---- Tabs and controls ----

  makeTabs(lesson) {
    const names = [...(lesson ? ['Lesson'] : []), 'Program', 'Texel', 'Values', 'Ledger'];
    this.panels = new Map();
    this.tabs = names.map((name) => {
      const id = `panel-${nextId()}`;
      const panel = element('div', { class: 'panel', id, role: 'tabpanel', tabIndex: 0, hidden: true });
      const tab = element('button', { type: 'button', role: 'tab', 'aria-controls': id, 'data-name': name }, name);
      tab.addEventListener('click', () => this.open(name));
      this.part('tabs').append(tab);
      this.part('panels').append(panel);
      this.panels.set(name, panel);
      return tab;
    });
    if (lesson) this.panels.get('Lesson').append(lesson);
    this.open(names[0]);
    this.placeLedger();
  }

  /** The ledger stands below the program, or where there is no room for both, behind a tab. */
  placeLedger() {
    const isCrowded = document.body.matches('.projector, .side-by-side') || this.root.matches('.writing');
    const ledger = this.part('ledger');
    this.tabs[this.tabs.length - 1].hidden = !isCrowded;
    if (isCrowded) this.panels.get('Ledger').append(ledger);
    else this.part('right').append(ledger);
    if (!isCrowded && this.opened === 'Ledger') this.open('Program');
  }

  open(name) {
    this.opened = name;
    for (const [other, panel] of this.panels) panel.hidden = other !== name;
    for (const tab of this.tabs) tab.setAttribute('aria-selected', tab.dataset.name === name);
    if (this.frame) this.renderDetails();
  }

  makeControls() {
    const choose = (mode, channel) => () => this.setMode(mode, channel);
    this.channelButtons = [...CHANNELS].map((name, channel) =>
      element('button', { type: 'button', title: `Channel ${name} (${channel + 1})`,
        onclick: choose('one', channel) }, name));
    this.channelButtons.push(
      element('button', { type: 'button', title: 'All channels in one texel (0)',
        onclick: choose('all', 0) }, 'all'),
      element('button', { type: 'button', title: 'As colours (5)',
        onclick: choose('colours', 0) }, 'rgb'),
    );
    this.part('channels').append(...this.channelButtons);
    this.part('range').addEventListener('change', (event) => this.setRange(event.target.value));
    const picture = this.part('picture');
    picture.addEventListener('click', (event) => this.pick(event));
    picture.addEventListener('mousemove', (event) => this.hover(event));
    picture.addEventListener('mouseleave', () => this.hoverText(null));
    this.listenToFingers(picture);
    picture.addEventListener('wheel', (event) => {
      // A picture that is as small as it gets lets the page scroll.
      if (this.zoom === 1 && event.deltaY > 0) return;
      event.preventDefault();
      const at = this.texelUnder(event);
      this.setZoom(this.zoom * (event.deltaY < 0 ? 1.25 : 0.8), at);
    }, { passive: false });
    fitToScreen(picture);
    new ResizeObserver(() => {
      fitToScreen(picture);
      if (this.frame) this.renderPicture();
    }).observe(this.part('frame'));
    drawBar(this.part('bar'));
  }

  /** Two fingers zoom the picture and move it; one moves it where it is larger than its place. */
  listenToFingers(picture) {
    const fingers = new Map();
    const middleOf = (points) => [0, 1].map((i) => points.reduce((sum, one) => sum + one[i], 0) / points.length);
    /** @type {(points: any[]) => number} */
    const apart = ([a, b]) => (b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 1);
    picture.addEventListener('pointerdown', ({ pointerId, pointerType, offsetX, offsetY }) => {
      if (pointerType !== 'mouse') fingers.set(pointerId, [offsetX, offsetY]);
    });
    picture.addEventListener('pointermove', ({ pointerId, offsetX, offsetY }) => {
      if (!fingers.has(pointerId) || !this.frame || this.stream === null) return;
      const before = [...fingers.values()];
      fingers.set(pointerId, [offsetX, offsetY]);
      if (before.length === 1 && this.zoom === 1) return;
      const now = [...fingers.values()];
      const side = this.frame.side / (picture.width / picture.clientWidth);
      const [from, to] = [middleOf(before), middleOf(now)];
      const [width, height] = this.film.streams[this.stream].size;
      const [x, y] = this.centre ?? [(width - 1) / 2, (height - 1) / 2];
      this.setZoom((this.zoom * apart(now)) / apart(before), [
        Math.min(Math.max(x - (to[0] - from[0]) / side, 0), width - 1),
        Math.min(Math.max(y + (to[1] - from[1]) / side, 0), height - 1)]);
    });
    for (const name of ['pointerup', 'pointercancel', 'pointerleave']) {
      picture.addEventListener(name, ({ pointerId }) => fingers.delete(pointerId));
    }
  }

  setMode(mode, channel) {
    this.withPeers({ mode: { mode, channel, chosen: true } });
  }

  setRange(range) {
    for (const { part } of this.peers) part('range').value = range;
    this.withPeers({ range });
  }

  setZoom(zoom, centre = null) {
    const { selected } = this;
    this.withPeers({ zoom: Math.min(Math.max(zoom, 1), 64),
      centre: centre || (selected ? [selected.x, selected.y] : this.centre) }, 'renderPicture');
  }

  /** Sets what is shown, in this view and in those next to it that show the same film. */
  withPeers(settings, render = 'render') {
    for (const view of this.peers) {
      Object.assign(view, settings);
      view[render]();
    }
    this.onPeers();
  }

  /** Shows this stop again, after an edit. */
  again() {
    for (const view of this.peers) view.show(view.number);
    this.onPeers();
  }

  // ---- Where we are ----

  /** Shows a stop of the film. Details that take time wait while it plays. */
  show(number, playing = false) {
    this.number = number;
    this.at = this.film.stops[number];
    this.playing = playing;
    this.event = this.at.pass === null ? null : this.film.events[this.at.pass];
    if (this.replay) {
      try {
        this.replay.goTo(this.at.events);
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        this.giveUp(error);
      }
    }
    this.render();
  }

  /** The stream in the large picture: the target, unless another was chosen and exists. */
  get stream() {
    const { film, replay, event } = this;
    if (!replay) return film.still ? film.still.stream : null;
    if (this.shownStream !== null && replay.exists(this.shownStream)) return this.shownStream;
    if (event) return event.target;
    // Where no pass was drawn: what was read, else what the next one reads (first what was written for
    // it just now), else what was drawn last.
    const written = film.touched(this.at, 'upload');
    const inputs = Object.values(this.nearPass?.streams ?? {});
    const fresh = inputs.filter((one) => written.includes(one));
    const wanted = [...film.touched(this.at, 'read'), ...fresh, ...inputs];
    if (this.at.passes > 0) wanted.push(film.pass(this.at.passes).target);
    return wanted.find((stream) => replay.exists(stream)) ?? null;
  }

  /** The pass of this stop; if it has none, the next one; behind the last one, that. */
  get nearPass() {
    return this.event || this.film.pass(this.at.passes + 1);
  }

  showStream(stream) {
    this.withPeers({ shownStream: stream, zoom: 1 });
    this.onPlace();
  }

  /** The texel that was chosen. Of a target it was, then it is that of each pass's target. */
  get selected() {
    if (!this.chosen) return null;
    const { x, y } = this.chosen;
    const stream = this.chosen.stream ?? (this.event ? this.event.target : this.stream);
    if (stream === null) return null;
    const [width, height] = this.film.streams[stream].size;
    return { stream, x: Math.min(x, width - 1), y: Math.min(y, height - 1) };
  }

  /** Chooses a texel, of the stream in the large picture unless of another one. */
  select(x, y, stream = this.stream) {
    const { event } = this;
    if (stream === null) return;
    const [width, height] = this.film.streams[stream].size;
    const chosen = {
      stream: event && stream !== event.target ? stream : null,
      x: Math.min(Math.max(x, 0), width - 1),
      y: Math.min(Math.max(y, 0), height - 1),
    };
    const isHidden = (this.opened === 'Program' && !this.program.isEditing) || this.opened === 'Lesson';
    if (isHidden) this.open('Texel');
    this.withPeers({ chosen });
    this.onPlace();
  }

  moveSelection(dx, dy) {
    const { selected } = this;
    if (!selected || selected.stream !== this.stream) this.select(0, 0);
    else this.select(selected.x + dx, selected.y + dy);
  }

  // ---- Rendering ----

  render() {
    this.fetched = null;
    this.cached = null;
    clearTimeout(this.later);
    const isEdited = Boolean(this.replay?.isEdited);
    this.root.classList.toggle('edited', isEdited);
    this.part('range').options[1].textContent = `the whole film${isEdited ? ' (in the recording)' : ''}`;
    this.renderHead();
    this.renderPicture();
    this.renderInputs();
    this.renderLedger();
    this.program.render();
    this.renderDetails();
    // What a fragment fetched, and a texel's history, are found by running passes again.
    if (this.selected && this.replay && !this.playing) {
      this.later = setTimeout(() => this.renderFetches(), 0);
    }
  }

  renderHead() {
    const { film, at, nearPass } = this;
    this.part('scene-title').textContent = film.scenes[at.scene].title;
    const { event, replay } = this;
    const isCounted = film.events.slice(at.from, at.to).some(({ kind }) => kind === 'count');
    this.part('told').textContent = toldOf(film, at, isCounted && event && replay?.isEdited ? replay.survivors(event) : null,
      replay && ((read) => this.recordRead(read)));
    const kernel = nearPass ? film.kernels[nearPass.kernel] : null;
    const lead = this.event || !kernel ? '' : this.whereNoPass;
    const [file, ...variant] = kernel ? kernel.name.split(' ') : ['no pass'];
    this.part('kernel').textContent = lead + file;
    this.part('kernel').append(element('span', { class: 'variant' }, ` ${variant.join(' ')}`));
    const caption = kernel ? [kernel.section, kernel.caption].filter(Boolean).join(': ') : '';
    this.part('caption').textContent = caption;
  }

  /** The record that the CPU read. */
  recordRead({ stream, rectangle }) {
    if (!this.replay.exists(stream)) return '';
    const { channels } = this.film.streams[stream];
    return [...this.replay.readPart(stream, rectangle).subarray(0, channels)].map(shortNumber).join(', ');
  }

  /** What leads to a kernel that is not of this stop. */
  get whereNoPass() {
    if (this.at.passes === 0) return 'before the first pass: ';
    return this.at.passes < this.film.passes.length ? 'no pass here; the next is ' : 'no pass here; the last was ';
  }

  /** What `imageOf` needs for a stream. */
  shown(stream, data) {
    const { size, channels } = this.film.streams[stream];
    // Bytes are colours: unless a channel was asked for, they are shown as such.
    const isPicture = this.film.streams[stream].format === BYTES && !this.mode.chosen;
    const mode = isPicture ? 'colours' : this.mode.mode;
    const channel = Math.min(this.mode.channel, channels - 1);
    const used = mode === 'all' ? [...Array(channels).keys()] : [channel];
    let peak = this.range === 'film'
      ? Math.max(...used.map((c) => this.film.peaks[stream][c]))
      : peakOf(data, used);
    for (const { replay } of this.range === 'pass' ? this.peers : []) {
      if (!replay || replay === this.replay) continue;
      replay.goTo(this.at.events);
      if (replay.exists(stream)) peak = Math.max(peak, peakOf(replay.read(stream), used));
    }
    const usable = mode === 'colours' && channels < 3 ? 'one' : mode;
    return { data, size, channels, channel, peak, mode: usable };
  }

  renderPicture() {
    const canvas = this.part('picture');
    const { stream } = this;
    // One finger scrolls the page, unless it moves the picture.
    canvas.classList.toggle('zoomed', this.zoom > 1);
    if (stream === null) {
      this.part('what').textContent = 'No stream yet.';
      canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const data = this.dataOf(stream);
    const shown = this.shown(stream, data.values);
    if (data.size) shown.size = data.size;
    this.frame = drawPicture(canvas, shown, {
      zoom: this.zoom,
      centre: this.centre,
      numbersFrom: document.body.matches('.projector') ? PROJECTED_FROM : NUMBERS_FROM,
    });
    if (this.replay) this.drawOutlines(canvas, stream);
    this.tellStream(stream, shown);
  }

  /** The values of a stream: as executed here, or the still that was recorded. */
  dataOf(stream) {
    if (this.replay) return { values: this.replay.read(stream) };
    const { size, values } = this.film.still;
    const { channels } = this.film.streams[stream];
    const recorded = this.film.span(values);
    const four = new Float32Array(4 * size[0] * size[1]);
    recorded.forEach((value, i) => { four[4 * Math.floor(i / channels) + (i % channels)] = value; });
    return { values: four, size };
  }

  drawOutlines(canvas, stream) {
    const { event, film } = this;
    if (event && stream === event.target) {
      outline(canvas, this.frame, drawnRectangles(film, event));
    }
    const fetches = this.fetched ? this.fetched.fetches : [];
    for (const missed of [false, true]) {
      const here = fetches.filter((fetch, i) => fetch.stream === stream && this.isMissed(i) === missed);
      outline(canvas, this.frame, here.map(({ x, y }) => [x, y]),
        { colour: missed ? MISSED : FETCHED, dashed: true });
    }
    if (this.selected && this.selected.stream === stream) {
      const { x, y } = this.selected;
      outline(canvas, this.frame, [[x, y]], { colour: CHOSEN, width: 3 });
    }
  }

  tellStream(stream, shown) {
    const { label, size, format } = this.film.streams[stream];
    const { event } = this;
    const role = event && event.target === stream ? 'target' : 'stream';
    const what = this.part('what');
    what.textContent = '';
    what.append(this.replay ? `${role} ` : 'the last target, ', element('strong', {}, label),
      `, ${size[0]} × ${size[1]}`, element('span', { class: 'format' }, `, ${format}`));
    const names = shown.mode === 'all' ? 'all channels' : `channel ${CHANNELS[shown.channel]}`;
    this.part('picture').setAttribute('aria-label',
      `${role} ${label}, ${size[0]} columns, ${size[1]} rows, ${names}. ` +
      'The tab Values has the numbers; W, A, S and D choose a texel.');
    this.channelButtons.forEach((button, i) => {
      const mode = ['one', 'one', 'one', 'one', 'all', 'colours'][i];
      button.disabled = i < 4 ? i >= shown.channels : mode === 'colours' ? shown.channels < 3 : false;
      button.setAttribute('aria-pressed',
        shown.mode === mode && (mode !== 'one' || shown.channel === i));
    });
    this.part('scale').hidden = shown.mode === 'colours';
    this.part('low').textContent = shortNumber(0 - shown.peak);
    this.part('high').textContent = shortNumber(shown.peak);
    this.tellStatus();
  }

  tellStatus() {
    const [badge, how] = [this.part('badge'), this.part('how')];
    const { event, replay } = this;
    badge.hidden = !event || !replay;
    how.hidden = true;
    if (badge.hidden) return;
    if (this.distanceOf !== event) {
      this.distanceOf = event;
      this.distance = this.distanceNow(event);
    }
    const [status, isGood, why] = this.film === this.recorded || replay.isEdited
      ? statusText(this.distance, replay.isEdited)
      : ['your run', false, 'The library ran your programs here, and the CPU decided again. L shows the recorded run next to it.'];
    this.status = status;
    badge.textContent = status;
    badge.title = why;
    badge.classList.toggle('same', isGood);
    badge.classList.toggle('other', !isGood);
    if (isGood || !this.distance.off) return;
    how.hidden = false;
    const said = reasonsOf(this.distance.off, replay.isEdited ? null : bodyOf(replay.textOf(event.kernel)));
    if (!replay.isEdited) said.push(`Recorded on ${this.film.made.renderer}; drawn here by ${rendererOf(replay.gl)}.`);
    how.replaceChildren(...said.map((words) => element('span', {}, `${words} `)));
  }

  /** How far a pass is from the recorded one; after an edit, in all texels of its target. */
  distanceNow(event) {
    const { replay, film } = this;
    if (!replay.isEdited || replay.isAsRecorded(event)) return replay.distance(event);
    const { channels, size: [width] } = film.streams[event.target];
    const { most, peak, off } = differenceOf(replay.read(event.target), this.reference.read(event.target), channels, width);
    return { same: most === 0, share: most / (peak || 1), off };
  }

  renderInputs() {
    const list = this.part('inputs');
    list.textContent = '';
    const { event, replay, film } = this;
    if (!event || !replay) return;
    const focused = document.activeElement?.dataset?.input;
    for (const [name, stream] of [['target', event.target], ...this.inputsRead()]) {
      const canvas = this.thumbnail(list.children.length);
      const isBefore = name !== 'target' && replay.readsTarget(event, stream);
      const shown = this.shown(stream, isBefore ? replay.found(event, stream) : replay.read(stream));
      const frame = drawPicture(canvas, shown, { numbersFrom: Infinity });
      const fetches = this.fetched ? this.fetched.fetches : [];
      for (const missed of [false, true]) {
        const here = fetches.filter((fetch, i) => fetch.name === name && this.isMissed(i) === missed);
        outline(canvas, frame, here.map(({ x, y }) => [x, y]), { colour: missed ? MISSED : FETCHED, width: 3 });
      }
      const { label, size } = film.streams[stream];
      const when = isBefore ? ', before this pass' : '';
      const of = isBefore ? 'before' : name === label || name === 'target' ? '' : `= ${label}`;
      const button = element('button', {
        type: 'button',
        title: `${name} is ${label}${when}, ${size[0]} × ${size[1]}`,
        onclick: () => this.showStream(stream === event.target ? null : stream),
      }, canvas, element('span', {}, name, element('span', { class: 'of' }, of)));
      button.setAttribute('aria-pressed', stream === this.stream);
      button.dataset.input = name;
      list.append(element('li', {}, button));
      if (name === focused) button.focus();
      else if (stream === this.shownStream) list.scrollLeft = button.offsetLeft - list.clientWidth / 2;
    }
  }

  /** What the program reads: by how often the chosen fragment fetches it, if that is known. */
  inputsRead() {
    const { event, replay, counted } = this;
    const { place } = replay.program(event.kernel, false);
    const read = Object.entries(event.streams).filter(([name, stream]) =>
      replay.exists(stream) && place(name) !== null);
    if (counted?.kernel !== event.kernel) return read;
    return read.sort(([a], [b]) => (counted.fetches[b] || 0) - (counted.fetches[a] || 0));
  }

  /** The canvas of the input of this number, made once: a new one takes longer than what is drawn in it. */
  thumbnail(number) {
    this.thumbnails[number] ??= element('canvas', { width: 144, height: 144 });
    return this.thumbnails[number];
  }

  // ---- The ledger ----

  renderLedger() {
    const { film, event } = this;
    const sums = [film.totalsOfScenes[this.number], film.totals[this.number]];
    const cost = event ? film.costs[event.cost] : null;
    /** @type {(name: any, now: string | null, sum?: string, text?: any) => any[]} */
    const row = (name, now, sum = now, text = grouped) =>
      [name, cost && now ? text(cost[now]) : '', ...sums.map((of) => text(of[sum]))];
    // What depends on the texts of programs.
    const recorded = (name) => element('span', {}, name, element('span', { class: 'recorded' }, ' in the recording'));
    const work = [
      ['passes', cost ? '1' : '', ...sums.map((of) => grouped(of.passes))],
      row('fragments', 'fragments'),
      row('in tuples of 2 × 2', 'tuples'),
      row(recorded('fetches'), 'fetches'),
      row(recorded('read'), 'bytes_read', 'bytes_read', bytesText),
      row('written', 'bytes_written', 'bytes_written', bytesText),
    ];
    const changes = [
      ...['target', 'buffer', 'context', 'program'].map((name) => row(name, `${name}_switches`)),
      row('uploads', null, 'uploads'),
      row('read-backs', null, 'read_backs'),
    ];
    const cards = film.cards.map(({ card, driver }, i) => [`${card}${driver ? `, ${driver}` : ''}`,
      ...[cost, ...sums].flatMap((of) => [of?.seconds[i], of?.switching[i]]).map((seconds) =>
        (seconds === undefined ? '' : timeText(seconds)))]);
    const ledger = this.part('ledger');
    if (ledger.children.length === 0) {
      ledger.append(
        table(['Ledger', 'now', 'scene', 'so far'], work),
        table(['Switches of', 'now', 'scene', 'so far'], changes, 'fine'),
        table([recorded('Time in 2003 (model)'), 'pass', 'switch', 'passes in scene', 'switches in scene',
          'passes so far', 'switches so far'], cards, 'cards'),
      );
      return;
    }
    // The same rows: what has changed in them is all that has to be laid out.
    const texts = [...work, ...changes, ...cards].flatMap(([, ...numbers]) => numbers);
    ledger.querySelectorAll('td').forEach((cell, i) => {
      if (cell.textContent !== texts[i]) cell.textContent = texts[i];
    });
  }

  // ---- One texel ----

  renderDetails() {
    if (this.opened === 'Values') this.renderValues();
    if (this.opened === 'Texel') this.renderTexel();
  }

  renderFetches() {
    const { event, selected, replay } = this;
    const isOfTarget = event && selected.stream === event.target;
    if (isOfTarget && covers(this.film, event, selected.x, selected.y)) {
      this.fetched = replay.fetchesAt(event, selected.x, selected.y);
      const fetches = {};
      for (const { name } of this.fetched?.fetches ?? []) fetches[name] = (fetches[name] || 0) + 1;
      this.counted = { kernel: event.kernel, fetches };
      if (this.fetched && this.fetched.count <= MOST_CACHED) {
        this.cached = hitsAt(replay, event, selected.x, selected.y);
      }
    }
    this.renderPicture();
    this.renderInputs();
    this.renderTexel();
  }

  /** Whether a fetch of the chosen fragment misses the cache, in the order that the switch says. */
  isMissed(fetch) {
    return this.cached?.[this.inBatches ? 0 : 1].hits[fetch] === false;
  }

  /** The switch between the orders, and what the cache makes of each. */
  cacheOrders() {
    const option = (name, inBatches) => element('button', {
      type: 'button', name, 'aria-pressed': this.inBatches === inBatches,
      onclick: () => {
        this.inBatches = inBatches;
        this.renderPicture();
        this.renderInputs();
        this.renderTexel();
      } }, name);
    const { missed, count, fragments } = this.cached[this.inBatches ? 0 : 1];
    return [
      element('p', {}, option('batch by batch', true), ' ', option('fragment by fragment', false)),
      element('p', {}, `Through a cache of 8 KB, empty at first: ${Math.round((100 * missed) / count)} % of the ` +
        `${grouped(count)} fetches of this batch of ${fragments} fragments miss. ` + (this.inBatches
        ? 'All fragments of a batch make their first fetch, then all make the second (GeForce FX).'
        : 'Each fragment makes all of its fetches before the next one begins (a bound for other cards).')),
    ];
  }

  renderTexel() {
    const panel = this.panels.get('Texel');
    const { selected, replay } = this;
    const hadFocus = panel.contains(document.activeElement) ? document.activeElement.name : null;
    panel.textContent = '';
    if (!replay || !selected || !replay.exists(selected.stream)) {
      panel.append(element('p', {}, replay ? 'Click a texel of the picture, or press W, A, S or D.'
        : 'The fetches of a fragment are found by executing its pass, which is not possible here.'));
      return;
    }
    panel.append(this.texelHead(), this.texelChannels());
    if (this.playing) return;
    const history = replay.historyOf(selected.stream, selected.x, selected.y);
    panel.append(...this.texelFetches(history), ...this.texelHistory(history));
    if (hadFocus) panel.querySelector(`[name="${hadFocus}"]`)?.focus();
  }

  texelHead() {
    const { x, y, stream } = this.selected;
    const { label, size } = this.film.streams[stream];
    const number = (name, value, most, change) => element('input', {
      type: 'number', name, value, min: 0, max: most - 1, 'aria-label': name,
      onchange: (event) => change(Number(event.target.value)),
    });
    return element('h3', {}, ...sentence('{}: column {}, row {}', element('span', { class: 'label' }, label),
      number('column', x, size[0], (value) => this.select(value, y)),
      number('row', y, size[1], (value) => this.select(x, value))));
  }

  texelChannels() {
    const { x, y, stream } = this.selected;
    const { size, channels } = this.film.streams[stream];
    const data = this.replay.read(stream);
    const made = element('table', { class: 'bits' });
    for (let channel = 0; channel < channels; channel += 1) {
      const place = data.subarray(4 * (y * size[0] + x) + channel);
      const [value] = place;
      const [bits, digits] = bitsOf(place);
      made.append(element('tr', {},
        element('th', { scope: 'row' }, CHANNELS[channel]),
        element('td', { class: 'number' }, exactNumber(value)),
        element('td', { class: 'number' }, digits),
        element('td', { class: 'number' }, ...bits)));
    }
    return made;
  }

  texelFetches(history) {
    const { event, selected, fetched, film, replay } = this;
    const title = element('h3', {}, 'Fetched by this fragment');
    const isTarget = event && selected.stream === event.target;
    if (!isTarget || !covers(film, event, selected.x, selected.y)) {
      const link = element('button', { type: 'button', class: 'link', onclick: () => this.goToWriter() },
        'To the pass that wrote it');
      return [title, element('p', {},
        isTarget ? 'This pass did not draw this texel. ' : 'This stream is not the target of this pass. ',
        ...(history.length > 0 ? [link, '.'] : []))];
    }
    if (!fetched) return [title, element('p', {}, '…')];
    const found = new Map(fetched.fetches.map(({ stream }) => [stream, replay.found(event, stream)]));
    const rows = fetched.fetches.map(({ name, stream, x, y }, i) => {
      const { size, channels } = film.streams[stream];
      const at = 4 * (y * size[0] + x);
      const values = [...found.get(stream).subarray(at, at + channels)].map(shortNumber).join(', ');
      const isBefore = replay.readsTarget(event, stream);
      const hit = this.cached ? [this.isMissed(i) ? 'miss' : 'hit'] : [];
      return [String(i + 1), `${name} (${x}, ${y})${isBefore ? ' before' : ''}`, values, ...hit];
    });
    const label = film.streams[event.target].label;
    const isFeedback = fetched.fetches.some(({ stream }) => replay.readsTarget(event, stream));
    const rest = fetched.count - fetched.fetches.length;
    return [title,
      fetched.discarded ? element('p', {}, 'Then the fragment was discarded: nothing was written.') : null,
      ...(this.cached ? this.cacheOrders() : []),
      table(['', 'from', 'value', ...(this.cached ? ['cache'] : [])], rows),
      isFeedback ? element('p', {}, `“Before”: this pass reads ${label}, which it also writes, ` +
        'and finds the values from before it.') : null,
      rest > 0 ? element('p', {}, `and ${rest} more`) : null].filter(Boolean);
  }

  texelHistory(history) {
    const { selected, film } = this;
    const { channels } = film.streams[selected.stream];
    const made = element('table', { class: 'history' });
    for (const { index, value } of history.reverse()) {
      const passes = film.events[index].number;
      made.append(element('tr', {},
        element('th', { scope: 'row' }, element('button', { type: 'button', class: 'link',
          onclick: () => this.onGo(passes) }, `pass ${passes}`)),
        element('td', { class: 'number' }, [...value.subarray(0, channels)].map(shortNumber).join(', ')),
        element('td', {}, film.kernels[film.events[index].kernel].name.split(' ')[0])));
    }
    const none = element('p', {}, 'No pass has written it: it was uploaded or filled.');
    const isCut = history.length >= HISTORY;
    return [element('h3', {}, 'Its history'), history.length > 0 ? made : none,
      isCut ? element('p', {}, 'Earlier passes are not shown.') : null].filter(Boolean);
  }

  goToWriter() {
    const { selected, film, replay } = this;
    const history = replay.historyOf(selected.stream, selected.x, selected.y, 1);
    if (history.length === 0) return;
    this.shownStream = null;
    this.onGo(film.events[history[0].index].number);
  }

  /** Numbers around the chosen texel, for those who would rather read than look. */
  renderValues() {
    const panel = this.panels.get('Values');
    panel.textContent = '';
    const { stream } = this;
    if (stream === null) return;
    const { values: data, size } = this.dataOf(stream);
    const { size: [width, height], channel } = { ...this.shown(stream, data), ...(size && { size }) };
    const chosen = this.selected && this.selected.stream === stream ? this.selected : { x: 0, y: 0 };
    // A column is nine digits wide; no more of them than there is room for.
    const digit = parseFloat(getComputedStyle(panel).fontSize) * 0.58;
    const most = Math.min(Math.max(Math.floor((panel.clientWidth / digit - 6) / 9), 2), 8);
    const [columns, rows] = [windowOf(chosen.x, width, most), windowOf(chosen.y, height, 14)];
    const made = element('table', { class: 'values' });
    const note = `channel ${CHANNELS[channel]} of ${this.film.streams[stream].label}; rows from the bottom up`;
    made.append(element('caption', {}, note));
    made.append(element('tr', {}, element('td', {}),
      ...columns.map((x) => element('th', { scope: 'col' }, String(x)))));
    for (const y of rows.reverse()) {
      made.append(element('tr', {}, element('th', { scope: 'row' }, String(y)),
        ...columns.map((x) => element('td', {
          class: `number ${this.selected && x === chosen.x && y === chosen.y ? 'chosen' : ''}`,
        }, shortNumber(data[4 * (y * width + x) + channel])))));
    }
    panel.append(made);
  }

  // ---- The pointer ----

  texelUnder(event) {
    if (!this.frame || this.stream === null || !this.replay) return null;
    const canvas = this.part('picture');
    const scale = canvas.width / canvas.clientWidth;
    const [x, y] = this.frame.texel(event.offsetX * scale, event.offsetY * scale);
    const [width, height] = this.film.streams[this.stream].size;
    return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
  }

  pick(event) {
    const at = this.texelUnder(event);
    if (at) this.select(...at);
  }

  hover(event) {
    this.hoverText(this.texelUnder(event));
  }

  hoverText(at) {
    const { stream } = this;
    if (!at) {
      this.part('hover').textContent = '';
      return;
    }
    const { size, channels } = this.film.streams[stream];
    const data = this.replay.read(stream);
    const first = 4 * (at[1] * size[0] + at[0]);
    const values = [...data.subarray(first, first + channels)].map(exactNumber).join('  ');
    this.part('hover').textContent = `(${at[0]}, ${at[1]})  ${values}`;
  }
}

// ---- Pieces ----

const after = (time) => new Promise((done) => { setTimeout(done, time); });

let ids = 0;
function nextId() {
  ids += 1;
  return ids;
}

function sourceText({ paper, section }) {
  return [paper, section].filter(Boolean).join(', ');
}

/** A share of the largest value up to which a difference counts as rounding: a unit of a 16-bit float. */
const ROUNDING = 2 ** -10;

/** What the badge says, whether that is good, and what it means. */
function statusText({ same, share, off }, isEdited) {
  if (same) return ['as recorded', true, 'Every bit of what this pass drew is as it was recorded.'];
  const size = `${shortNumber(share)} of the largest value`;
  const by = Number.isFinite(share) ? `off by ${size}` : `off: ${kindOfDifference(off)}`;
  if (isEdited) return [`yours: ${by}`, false, 'Compared are all texels of the target with those of the recorded programs, run here too.'];
  const kept = 'Compared are the texels of each pass that the film keeps. ';
  const why = `${kept}Your driver may round, or order sums, in another way than the recorded one, and differences of ` +
    'earlier passes add up. The badge turns amber beyond 0.001 of the largest value.';
  if (share === 0 && off) return [Number.isNaN(off.here[0]) ? 'same except for the bits of NaN' : 'same except for the sign of zero', true, why];
  if (share === 0) return ['same in the recorded texels', true, why];
  return share <= ROUNDING ? [`same except for rounding: ${size}`, true, why] : [by, false, why];
}

/** Who draws in this browser, if it tells. */
function rendererOf(gl) {
  const more = gl.getExtension('WEBGL_debug_renderer_info');
  return gl.getParameter(more?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
}

/** The rectangles to outline: none where there are so many that their lines would hide the picture. */
function drawnRectangles(film, event) {
  const list = rectanglesOf(film, event);
  return list.length > 600 ? [] : list;
}

function table(heads, rows, className = '') {
  const made = element('table', { class: className });
  if (heads.length > 0) {
    made.append(element('tr', {}, ...heads.map((head, i) =>
      element('th', { scope: 'col', class: i > 0 ? 'number' : '' }, head))));
  }
  for (const [first, ...cells] of rows) {
    made.append(element('tr', {}, element('th', { scope: 'row' }, first),
      ...cells.map((cell) => element('td', { class: 'number' }, cell))));
  }
  return made;
}

/** Sign, exponent and mantissa of the first of some floats, and all of it as hexadecimal digits. */
function bitsOf(floats) {
  const word = wordOf(floats);
  const bits = word.toString(2).padStart(32, '0');
  const parts = [
    element('span', { class: 'sign', title: 'sign' }, bits[0]), ' ',
    element('span', { class: 'exponent', title: 'exponent' }, bits.slice(1, 9)), ' ',
    element('span', { class: 'mantissa', title: 'mantissa' }, bits.slice(9)),
  ];
  return [parts, `0x${word.toString(16).padStart(8, '0')}`];
}

/** The numbers of at most `most` lines around one. */
function windowOf(middle, length, most) {
  const first = Math.max(0, Math.min(middle - Math.floor(most / 2), length - most));
  return [...Array(Math.min(most, length)).keys()].map((i) => first + i);
}

function fitToScreen(canvas) {
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.round(n * scale));
  if (width > 0 && (canvas.width !== width || canvas.height !== height)) {
    canvas.width = width;
    canvas.height = height;
  }
}

function drawBar(canvas) {
  const context = canvas.getContext('2d');
  for (let x = 0; x < canvas.width; x += 1) {
    const colour = colourOf((2 * x) / (canvas.width - 1) - 1, 1);
    context.fillStyle = `rgb(${colour.join(' ')})`;
    context.fillRect(x, 0, 1, canvas.height);
  }
}
