// The page around the solvers. It only displays numbers; the library behind `wasm_bindgen` computes them.
// All texts are inserted as text, never as HTML.
'use strict';

/** The registry of scenes, by name: views, presets, exercises, what the mouse does. The library describes it. */
const SCENES = {};

/** Tests whether a unit of work has several steps, each on a level. */
const hasParts = () => SCENES[page.scene].unit !== 'time step';

/** Milliseconds between two updates of the ledger, and of the textures. */
const LEDGER_EVERY = 250;
const SHELF_EVERY = 400;
/** Number of steps between two timings. */
const TIMED_EVERY = 8;
/** Most times that may be waited for; a unit has fewer steps. */
const WAITING = 64;
/** Longest acceptable time of a picture, in milliseconds. */
const PICTURE = 30;
/** Most nodes of a grid that a link chooses, in software. */
const MOST_NODES = 1025 * 1025;
/** Length of a clip, in milliseconds. */
const CLIP = 5000;
/** Number of residuals in the plot. */
const HISTORY = 120;
const LINE = 1.5;
/** Steps per second at full speed, whatever the display's rate, and the most steps between two pictures. */
const RATE = 60;
const AT_ONCE = 4;
/** Formats of a clip, the preferred one first. */
const CLIPS = ['video/webm', 'video/mp4'];
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

const page = {
  card: null,
  running: null,
  canvas: null,
  /** Its context, what times commands on the GPU if there is something, and what is being timed. */
  gl: null,
  timer: null,
  queries: [],
  scene: 'dye',
  /** Settings that replace some of the preset's, as words by name. */
  settings: {},
  playing: true,
  /** True once motion is wanted: a reader who asks for little of it presses Play first. */
  moves: !STILL.matches,
  steps: 0,
  /** Milliseconds of some units of work and of some pictures, steps of a unit, and those of the last step on the CPU. */
  times: [],
  parts: 1,
  /** The unit that is timed, if one is, and the number of units. */
  unit: null,
  units: 0,
  pictures: [],
  spent: 0,
  residuals: [],
  lastStep: 0,
  lastLedger: 0,
  lastShelf: 0,
  programs: [],
  /** True if the textures have changed since they were shown. */
  stale: true,
  /** What the canvas showed when the textures were copied from it. */
  sheet: document.createElement('canvas'),
  /** Texts that a reader runs, by scene and program. */
  edits: new Map(),
  /** Texts that a reader has typed. */
  drafts: new Map(),
  pen: [0.5, 0.5],
};

// ---- What a browser must have ----

const clipType = () =>
  'MediaRecorder' in window && 'captureStream' in HTMLCanvasElement.prototype
    ? CLIPS.find((type) => MediaRecorder.isTypeSupported(type)) : undefined;

/** Tests whether there is WebGL 2, and with it this extension. */
function hasWebGl(extension = '') {
  const gl = document.createElement('canvas').getContext('webgl2');
  const has = gl !== null && (extension === '' || gl.getExtension(extension) !== null);
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return has;
}

/** Features: the button that needs one, or an empty string for the whole page; a test; what is said without it. */
const FEATURES = [
  { part: '', has: () => 'WebAssembly' in window, without: 'This browser has no WebAssembly.' },
  { part: '', has: () => 'DecompressionStream' in window, without: 'This browser cannot unpack gzip (DecompressionStream). Chrome 80, Firefox 113 and Safari 16.4 can.' },
  { part: '', has: () => hasWebGl(), without: 'This browser offers no WebGL 2.' },
  { part: '', has: () => hasWebGl('EXT_color_buffer_float'), without: 'This browser draws no textures of floats (EXT_color_buffer_float).' },
  { part: 'record', has: () => clipType() !== undefined, without: 'This browser records no clips: it lacks MediaRecorder, or its formats.' },
];

/** Disables what a browser lacks, with the reason; fails if the page needs it. */
function checkBrowser() {
  for (const { part, has, without } of FEATURES) {
    if (has()) continue;
    if (!part) throw new Error(without);
    Object.assign(byId(part), { disabled: true, textContent: without });
  }
}

// ---- Start ----

/** The library, unpacked from the page, and its scenes. */
async function load() {
  await wasm_bindgen({ module_or_path: await unpackLibrary() });
  for (const scene of JSON.parse(wasm_bindgen.scenes())) {
    SCENES[scene.name] = scene;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: scene.name });
    button.setAttribute('role', 'radio');
    button.dataset.scene = scene.name;
    byId('scenes').append(button);
  }
  byId('motions').textContent = Object.values(SCENES).map(({ motion }) => motion).filter(Boolean).join(', ');
}

/** Creates a new canvas for each start, because a context may be lost permanently. */
function newContext() {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'The picture. Arrow keys draw; with Shift they move the pen.');
  const gl = canvas.getContext('webgl2', {
    alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true,
  });
  if (!gl) throw new Error('This browser offers no WebGL 2.');
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    if (canvas === page.canvas) stop('The graphics driver has dropped the picture.');
  });
  canvas.addEventListener('webglcontextrestored', () => { if (canvas === page.canvas) begin(); });
  return { canvas, gl };
}

function release() {
  for (const name of ['running', 'card']) {
    try {
      if (page[name]) page[name].free();
    } catch (error) { /* What has failed once cannot be freed. */ }
    page[name] = null;
  }
}

/** A moment in which a canvas that was just made has pixels. */
const shown = () => new Promise(requestAnimationFrame);

/** Makes a new canvas, and starts the scene again on it or what the link of the page means. */
async function begin(opens = enterAgain) {
  release();
  try {
    const { canvas, gl } = newContext();
    page.card = new wasm_bindgen.Card(gl);
    Object.assign(page, { gl, timer: timerOf(gl), queries: [] });
    if (page.canvas) page.canvas.remove();
    page.canvas = canvas;
    byId('frame').prepend(canvas);
    listen(canvas);
    byId('renderer').textContent = `Drawn by ${page.card.renderer()}.`;
    if (!byId('side').dataset.chosen) byId('side').value = page.card.software() ? '64' : '128';
  } catch (error) {
    unsupported(error);
    return;
  }
  byId('live').hidden = false;
  await shown();
  await opens();
}

const enterAgain = () => enter(page.scene, byId('preset').value, page.settings);

/** Enters a scene on the present canvas, with the settings of a preset or the usual ones, some of them replaced. */
function enter(name, preset = '', settings = {}) {
  Object.assign(page, { scene: name, settings });
  const scene = SCENES[name];
  for (const button of document.querySelectorAll('[data-scene]')) {
    const chosen = button.dataset.scene === name;
    button.setAttribute('aria-checked', String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  }
  byId('about').textContent = `${scene.about}.`;
  byId('unit').textContent = `of the last ${scene.unit}`;
  const { exercise } = scene;
  const hint = exercise ? `Try: write \`${exercise.with}\` instead of \`${exercise.replace}\`. ${exercise.effect}` : '';
  byId('try').hidden = !exercise;
  // Every second part is code.
  byId('try').replaceChildren(...hint.split('`').map((part, i) => {
    const piece = document.createElement(i % 2 ? 'code' : 'span');
    piece.textContent = part;
    return piece;
  }));
  for (const [id, words] of [['auto', scene.motion], ['second', scene.second]]) {
    byId(`${id}-label`).hidden = !words;
    byId(`${id}-name`).textContent = words;
  }
  byId('second').checked = false;
  byId('pace').value = hasParts() ? '100' : '0';
  byId('view').replaceChildren(...scene.views.map((view, i) => new Option(view, String(i))));
  const usual = scene.preset || scene.presets[0].name;
  const presets = scene.presets.filter((one) => one.name !== usual && one.name !== 'film');
  byId('preset').replaceChildren(new Option('usual', ''), ...presets.map(({ name: word, about, lacking }) => {
    const option = new Option(`${word}: ${lacking || about}`, word);
    option.disabled = Boolean(lacking);
    return option;
  }));
  byId('preset').value = presets.some((one) => one.name === preset) ? preset : '';
  const known = preset === usual || byId('preset').value === preset;
  if (byId('fields').dataset.of !== name) listSettings(scene);
  remark('');
  document.body.classList.toggle('pairs', hasParts());
  dropTimes();
  Object.assign(page, { steps: 0, units: 0, parts: 1, times: [], pictures: [], residuals: [], programs: [] });
  byId('textures').replaceChildren();
  attempt(() => {
    if (page.running) page.running.free();
    page.running = null;
    const { width, height } = page.canvas;
    const words = experimentOf(name, known ? byId('preset').value : preset, settings);
    page.running = page.card.scene(words, Number(byId('side').value), width, height);
    fitCanvas();
    byId('view').value = String(page.running.shown());
    byId('auto').checked = page.running.automatic();
    byId('notice').hidden = true;
    // A cycle has many steps: the ledger, the programs and the textures are those of a whole cycle.
    do advance(); while (!page.running.between() && page.steps < 200);
    for (const [program, text] of editsOf(name)) takeOver(program, text);
    showLedger();
    showShelf();
    page.running.show();
    showSettings();
  });
  play(page.moves && byId('notice').hidden);
  if (!page.moves) remark('Your system asks for little motion. Play starts it.');
}

/** Runs a reader's text again; one that is refused, as from a damaged link, is left in the editor with its faults. */
function takeOver(program, text) {
  try {
    page.running.edit(program, text);
  } catch (error) {
    editsOf(page.scene).delete(program);
    page.drafts.set(`${page.scene} ${program}`, text);
  }
}

function editsOf(scene) {
  if (!page.edits.has(scene)) page.edits.set(scene, new Map());
  return page.edits.get(scene);
}

/** Adapts the canvas to the picture's size on the screen, within limits. Returns true if it changed. */
function fitCanvas() {
  const aspect = page.running ? page.running.aspect() : 4 / 3;
  byId('frame').style.setProperty('--aspect', String(aspect));
  const across = Math.min((byId('frame').clientWidth || 512) * (devicePixelRatio || 1), 900);
  const height = Math.round(Math.max(200, Math.min(across / aspect, 720)));
  const width = Math.round(Math.max(200, across));
  page.canvas.style.aspectRatio = `${width} / ${height}`;
  if (page.canvas.width === width && page.canvas.height === height) return false;
  resize(page.canvas, width, height);
  if (page.running) attempt(() => page.running.resize(width, height));
  return true;
}

// ---- Errors ----

/** Runs a function; an error stops the scene and is shown. */
function attempt(what) {
  try {
    what();
    return true;
  } catch (error) {
    stop(inWords(error));
    return false;
  }
}

const inWords = (error) => (typeof error === 'string' ? error : error.message || String(error));

function stop(reason) {
  play(false);
  byId('reason').textContent = reason;
  byId('notice').hidden = false;
}

/** If the browser cannot run the solvers, the page is a document. */
function unsupported(error) {
  byId('live').hidden = true;
  byId('scenes').hidden = true;
  byId('reason').textContent = `The solvers cannot run here. ${inWords(error)}`;
  byId('again').hidden = true;
  byId('notice').hidden = false;
  byId('pictures').hidden = false;
  document.body.dataset.ready = 'pictures';
}

/** Says something below the picture, perhaps with a page to open. */
function remark(text, href = '') {
  const [words, anchor] = byId('remark').children;
  words.textContent = text;
  byId('remark').hidden = !text;
  anchor.hidden = !href;
  anchor.href = href;
}

// ---- Time ----

function play(playing) {
  page.playing = playing;
  byId('play').textContent = playing ? 'Pause' : 'Play';
}

/** The extension that times commands on the GPU, if there is one whose clock has bits. */
function timerOf(gl) {
  const timer = gl.getExtension('EXT_disjoint_timer_query_webgl2');
  return timer && gl.getQuery(timer.TIME_ELAPSED_EXT, timer.QUERY_COUNTER_BITS_EXT) > 0 ? timer : null;
}

/** Runs a function and passes on its time in milliseconds: by the GPU's clock later, or until a pixel is read back after it. */
function timed(what, take) {
  const { gl, timer, queries } = page;
  if (timer === null) {
    page.running.finish();
    const start = performance.now();
    what();
    page.running.finish();
    take(performance.now() - start);
  } else if (queries.length === WAITING) {
    what();
  } else {
    const query = { name: gl.createQuery(), take };
    queries.push(query);
    gl.beginQuery(timer.TIME_ELAPSED_EXT, query.name);
    try {
      what();
    } finally {
      gl.endQuery(timer.TIME_ELAPSED_EXT);
    }
  }
}

/** Passes on times of the GPU, unless its clock was disturbed. */
function readClock() {
  const { gl, timer, queries } = page;
  const isThere = () => queries.length > 0 && gl.getQueryParameter(queries[0].name, gl.QUERY_RESULT_AVAILABLE);
  if (!isThere()) return;
  if (gl.getParameter(timer.GPU_DISJOINT_EXT)) dropTimes();
  while (isThere()) {
    const { name, take } = queries.shift();
    take(gl.getQueryParameter(name, gl.QUERY_RESULT) / 1e6);
    gl.deleteQuery(name);
  }
}

/** Drops what is being timed. */
function dropTimes() {
  page.unit = null;
  for (const query of page.queries) query.take = () => {};
}

/** Performs one step. The ledger is that of a unit, such as a V-cycle: some units are timed, as the sum of their steps. */
function advance() {
  const step = () => {
    const start = performance.now();
    page.running.step();
    page.spent = performance.now() - start;
  };
  if (page.running.between()) {
    // The first one compiles the programs.
    const isTimed = page.units > 0 && (hasParts() || page.units % TIMED_EVERY === 1);
    page.unit = isTimed ? { time: 0, parts: 0, open: 1 } : null;
    page.units += 1;
  }
  const { unit } = page;
  const closed = (time) => {
    unit.time += time;
    unit.open -= 1;
    if (unit.open === 0) Object.assign(page, { parts: unit.parts, times: [...page.times.slice(-14), unit.time] });
  };
  if (unit) {
    unit.parts += 1;
    unit.open += 1;
    timed(step, closed);
    if (page.running.between()) closed(0);
  } else {
    step();
  }
  page.steps += 1;
}

/** Takes a step, and opens it as a film: there the fetches of a texel are hits or misses of a texture cache. */
function film() {
  play(false);
  if (!page.running || !byId('notice').hidden) return;
  dropTimes();
  page.touched = attempt(() => {
    const made = URL.createObjectURL(new Blob([page.running.film()], { type: 'text/html' }));
    if (!window.open(made)) remark('The browser has blocked the new page.', made);
    page.steps += 1;
  });
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] || 0;

/** Number of steps that are due, so that a fast display does not run faster, nor a slow one slower if time allows. */
function due(now) {
  const interval = Number(byId('pace').value) || 1000 / RATE;
  // Pictures are a little early or late.
  const behind = Math.floor((now - page.lastStep) / interval + 0.1);
  if (!page.playing || behind < 1) return 0;
  page.lastStep = behind > AT_ONCE ? now : page.lastStep + behind * interval;
  const affordable = Math.floor(1000 / RATE / (Math.max(median(page.times) / page.parts, page.spent) || Infinity));
  return Math.min(behind, AT_ONCE, Math.max(affordable, 1));
}

function frame(now) {
  requestAnimationFrame(frame);
  if (!page.running || !byId('notice').hidden) return;
  attempt(() => {
    readClock();
    const steps = due(now);
    for (let step = 0; step < steps; step += 1) advance();
    const changed = steps > 0 || page.touched;
    page.stale = page.stale || changed;
    const shelf = page.stale && now - page.lastShelf > SHELF_EVERY && byId('shelf').open;
    if (shelf) {
      Object.assign(page, { lastShelf: now, stale: false });
      showShelf();
    }
    if (changed || shelf) {
      page.touched = false;
      const show = () => page.running.show();
      if (page.steps % TIMED_EVERY === 1) timed(show, spendLess);
      else show();
    }
    if (now - page.lastLedger > LEDGER_EVERY) {
      page.lastLedger = now;
      showLedger();
    }
  });
}

/** A picture that takes too long becomes coarser. */
function spendLess(time) {
  page.pictures.push(time);
  if (page.pictures.length < 3) return;
  if (median(page.pictures) > PICTURE) page.running.coarser();
  page.pictures = [];
}

// ---- The ledger ----

function row(table, name, value) {
  const tr = table.insertRow();
  const th = document.createElement('th');
  th.scope = 'row';
  th.textContent = name;
  const td = document.createElement('td');
  td.className = 'number';
  td.textContent = value;
  tr.append(th, td);
}

function showLedger() {
  const bill = JSON.parse(page.running.bill());
  const counts = byId('counts').tBodies[0];
  counts.replaceChildren();
  row(counts, 'passes', grouped(bill.passes));
  row(counts, 'fragments', grouped(bill.fragments));
  row(counts, 'texture fetches', grouped(bill.fetches));
  row(counts, 'bytes read and written', grouped(bill.bytes));
  row(counts, 'target switches', grouped(bill.switches));
  row(counts, 'program switches', grouped(bill.programSwitches));
  row(counts, 'read-backs', grouped(bill.readBacks));
  const cards = byId('cards').tBodies[0];
  cards.replaceChildren();
  for (const { card, driver, passes, switching } of bill.cards) {
    row(cards, `${card}, ${driver}`, (1000 * (passes + switching)).toFixed(1));
  }
  const time = page.times.length ? `${median(page.times).toFixed(1)} ms` : '';
  row(cards, `this browser, now (${page.timer ? 'timer query' : 'until a pixel is read'})`, page.times.length ? median(page.times).toFixed(1) : '');
  showResidual(bill);
  listPrograms();
  byId('status').textContent = [
    `step ${grouped(page.steps)}`,
    time && `${time} per ${SCENES[page.scene].unit}`,
    bill.iterations ? `${bill.iterations} ${SCENES[page.scene].counted}` : '',
    Number.isFinite(bill.residual) && bill.residual !== null ? `residual ${short(bill.residual)}` : '',
    bill.copies ? 'passes read copies of their targets: a browser has no texture barrier' : '',
    bill.doing || '',
  ].filter(Boolean).join(' · ');
  page.doing = bill.doing || '';
}

/** Plots the residuals so far, on a logarithmic scale. */
function showResidual({ residual, iterations }) {
  const last = page.residuals[page.residuals.length - 1];
  const at = hasParts() ? iterations : page.steps;
  if (last && at < last.at) page.residuals = [];
  if (residual > 0 && (!last || last.at !== at)) page.residuals.push({ at, residual });
  page.residuals = page.residuals.slice(-HISTORY);
  const logs = page.residuals.map((one) => Math.log10(one.residual));
  const svg = byId('history');
  svg.parentElement.hidden = logs.length < 2;
  if (logs.length < 2) return;
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs) + 1e-9)];
  const points = logs.map((log, i) =>
    `${(240 * i) / (logs.length - 1)},${76 - (72 * (log - low)) / Math.max(high - low, 1)}`);
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  line.setAttribute('points', points.join(' '));
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.replaceChildren(line);
  byId('residual').textContent = `residual after each ${SCENES[page.scene].unit}, from ${short(10 ** low)} to ${short(10 ** high)}`;
}

// ---- Textures ----

/** Gives a canvas a size, if it has another one: that clears it. */
function resize(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

/** Draws all textures into the canvas, from which they are copied. Nothing is read back but the largest value of each. */
function showShelf() {
  const textures = JSON.parse(page.running.textures());
  const list = byId('textures');
  if (list.children.length !== textures.length) {
    list.replaceChildren(...textures.map(() => {
      const item = document.createElement('li');
      const range = document.createElement('span');
      range.className = 'range';
      item.append(document.createElement('canvas'), document.createElement('div'), range);
      return item;
    }));
  }
  const active = /^level \d+:/.exec(page.doing || '');
  const side = (list.querySelector('canvas')?.clientWidth || 112) * (devicePixelRatio || 1);
  const tiles = page.running.shelf(Math.round(side));
  // One copy of the canvas: each takes a browser as long as the whole.
  const { sheet } = page;
  resize(sheet, page.canvas.width, page.canvas.height);
  sheet.getContext('2d').drawImage(page.canvas, 0, 0);
  textures.forEach(({ label, size, format }, i) => {
    const item = list.children[i];
    const [canvas, name, range] = item.children;
    const [x, y, width, height, most] = tiles.subarray(5 * i);
    resize(canvas, width, height);
    canvas.getContext('2d').drawImage(sheet, x, y, width, height, 0, 0, width, height);
    name.textContent = label;
    range.textContent = `${size[0]}×${size[1]} ${format}, ±${short(most)}`;
    item.classList.toggle('active', active !== null && label.startsWith(active[0]));
  });
}

// ---- Settings ----

const partsOf = (schema) => [schema, ...(schema.anyOf || [])];
const isKind = (schema, kind) => partsOf(schema).some(({ type }) => [type].flat().includes(kind));

/** The word of a setting that is left open. */
const nothingOf = (schema) => schema.nothing || 'none';

/** The choices of a setting: words and descriptions. */
function choicesOf(schema) {
  const choices = partsOf(schema).flatMap((part) => [
    ...(part.oneOf || []).map((one) => [one.const, one.description]), ...(part.enum || []).map((word) => [word]),
  ]);
  if (choices.length > 0 && isKind(schema, 'null')) choices.unshift([nothingOf(schema)]);
  return choices;
}

/** Ends of a number's slider, and its step: a power of ten. */
function sliderOf(schema) {
  const [low, high] = schema.slides || [schema.minimum, schema.maximum];
  if (!(high > low)) return null;
  const step = 10 ** Math.floor(Math.log10((high - low) / 90));
  return { min: low, max: high, step: isKind(schema, 'integer') ? Math.max(step, 1) : step };
}

/** The inputs of a setting: a tick, a choice, a slider with a number, or a word. */
function inputsOf({ schema, lacking }) {
  const [needing, feature] = (schema.needs || '').split(': ');
  const make = (tag, more) => Object.assign(document.createElement(tag), more);
  if (isKind(schema, 'boolean')) return [make('input', { type: 'checkbox' })];
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    const select = make('select', {});
    select.append(...choices.map(([word, about]) => {
      const disabled = Boolean(feature && lacking && word === needing);
      return make('option', { value: word, textContent: disabled ? `${word}: ${lacking}` : word, title: about || '', disabled });
    }));
    return [select];
  }
  const number = isKind(schema, 'number') || isKind(schema, 'integer');
  const text = make('input', { type: 'text', inputMode: number ? 'decimal' : 'text', disabled: Boolean(lacking && !feature) });
  const slider = number && sliderOf(schema);
  return slider ? [make('input', { type: 'range', ...slider }), text] : [text];
}

/** A setting with its name, its inputs and what it means. */
function fieldOf(field) {
  const { name, schema, lacking } = field;
  const row = document.createElement('div');
  const label = document.createElement('label');
  const about = document.createElement('span');
  const inputs = inputsOf(field);
  row.className = 'field';
  for (const input of inputs) {
    input.dataset.name = name;
    input.setAttribute('aria-label', name.replaceAll('_', ' '));
    input.setAttribute('aria-describedby', `about-${name}`);
  }
  about.className = 'soft';
  about.id = `about-${name}`;
  about.textContent = inputs[0].disabled ? `${lacking[0].toUpperCase()}${lacking.slice(1)}.` : (schema.description || '').split('\n\n')[0].replace(/ \[default:.*\]\.?$/, '');
  // The number of a slider is one of a formula.
  if (schema.enters) about.textContent += ` ${schema.enters[0].toUpperCase()}${schema.enters.slice(1)}.`;
  label.textContent = name.replaceAll('_', ' ');
  if (inputs[0].type === 'checkbox') {
    label.className = 'tick';
    label.prepend(inputs[0], ' ');
    row.append(label, about);
  } else {
    row.append(label, ...inputs, about);
  }
  return row;
}

/** Lists the settings of a scene, those with a heading below it. */
function listSettings(scene) {
  const place = byId('fields');
  place.replaceChildren();
  place.dataset.of = scene.name;
  const groups = new Map([['', []]]);
  for (const field of scene.fields) {
    const { heading = '', hidden, of_command: ofCommand } = field.schema;
    if (hidden || ofCommand) continue;
    groups.set(heading, [...(groups.get(heading) || []), fieldOf(field)]);
  }
  for (const [heading, fields] of groups) {
    const group = document.createElement('div');
    group.append(...fields);
    if (!heading) {
      place.append(group);
      continue;
    }
    const [folded, summary] = ['details', 'summary'].map((tag) => document.createElement(tag));
    summary.textContent = heading;
    folded.append(summary, group);
    place.append(folded);
  }
}

/** Shows the present settings, and the command line of this state. */
function showSettings() {
  const { words, open } = JSON.parse(page.running.settings());
  const schemas = Object.fromEntries(SCENES[page.scene].fields.map(({ name, schema }) => [name, schema]));
  for (const input of byId('fields').querySelectorAll('[data-name]')) {
    const { name } = input.dataset;
    const isOpen = words[name] === nothingOf(schemas[name]) && input.localName === 'input';
    const used = open[name] === undefined || open[name] === null ? '' : String(open[name]);
    if (input.type === 'checkbox') input.checked = words[name] === 'true';
    else if (input.type === 'range') input.value = isOpen ? used : words[name];
    else Object.assign(input, { value: isOpen ? '' : words[name], placeholder: isOpen ? used || words[name] : '' });
    input.closest('.field').classList.toggle('changed', Object.hasOwn(page.settings, name));
  }
  byId('refused').textContent = '';
  showCommand();
}

function showCommand() {
  byId('command').value = page.running.command();
  byId('originals').hidden = editsOf(page.scene).size === 0;
}

/** Gives a setting another value, unless it is refused, and starts again with it if the scene cannot go on. */
function change(input) {
  const { name } = input.dataset;
  const { schema } = SCENES[page.scene].fields.find((field) => field.name === name);
  const word = input.type === 'checkbox' ? String(input.checked) : input.value.trim() || nothingOf(schema);
  // The setting that was given last counts.
  const { [name]: before, ...settings } = page.settings;
  Object.assign(settings, { [name]: word });
  const [preset, side] = [byId('preset').value, name === 'size' ? '0' : byId('side').value];
  const words = experimentOf(page.scene, preset, settings);
  try {
    wasm_bindgen.check(words, Number(side));
  } catch (error) {
    if (page.running) showSettings();
    byId('refused').textContent = inWords(error);
    return;
  }
  byId('side').value = side;
  let steered = false;
  if (page.running && byId('notice').hidden) attempt(() => { steered = page.running.steer(words, Number(side)); });
  if (steered) {
    Object.assign(page, { settings, times: [] });
    showSettings();
  } else {
    enter(page.scene, preset, settings);
  }
}

// ---- Programs ----

/** Groups programs by file, so that variants are next to each other. */
function listPrograms() {
  const programs = JSON.parse(page.running.programs());
  const names = programs.map(({ name }) => name);
  if (names.join() === page.programs.join()) return;
  page.programs = names;
  const select = byId('program');
  const kept = names.includes(select.value);
  const chosen = kept ? select.value : names.find((name) => name.startsWith(SCENES[page.scene].exercise?.program));
  select.replaceChildren(...names.map((name) => new Option(shortName(name), name)));
  select.value = chosen || names[0];
  if (!kept) openProgram();
}

function shortName(name) {
  const [file, ...rest] = name.split(' with ');
  return [file.split('/').slice(1).join('/'), ...rest].join(' · ');
}

function openProgram() {
  const name = byId('program').value;
  const draft = page.drafts.get(`${page.scene} ${name}`);
  const text = draft === undefined ? readable(page.running.text(name, false) || '') : draft;
  byId('text').value = text;
  // The program itself is at the end, after its prelude and parts.
  const line = Math.max(text.split('\n').findLastIndex((one) => one.startsWith('uniform')) - 3, 0);
  byId('text').scrollTop = line * LINE * parseFloat(getComputedStyle(byId('text')).fontSize);
  byId('text').scrollLeft = 0;
  checkProgram();
}

/** A program's text without the length in its header, which is that of another variant. */
const readable = (text) => text.replaceAll(/^(?:\/\/ *\n)?\/\/ Cost:.*\n/gm, '');

/** Checks the text against the rules of 2003, and shows its length. */
function checkProgram() {
  const name = byId('program').value;
  const text = byId('text').value;
  if (!page.running || !name) return;
  const { violations, count, listing } = JSON.parse(page.running.check(name, text));
  const before = JSON.parse(page.running.check(name, page.running.text(name, true) || '')).count;
  const wrong = new Set(violations.map(([line]) => line));
  byId('lines').replaceChildren();
  for (let line = 1; line <= text.split('\n').length; line += 1) {
    const mark = document.createElement('span');
    mark.textContent = String(line);
    mark.className = wrong.has(line) ? 'wrong' : '';
    byId('lines').append(mark, '\n');
  }
  byId('lines').scrollTop = byId('text').scrollTop;
  say(violations.map(([, what]) => what).join('\n'), violations.length > 0);
  showLength(count, before, listing);
  byId('edited').hidden = !editsOf(page.scene).has(name);
  showCommand();
}

function showLength(count, before, listing) {
  const place = byId('length');
  place.replaceChildren();
  if (!count) return;
  const change = before && before.instructions !== count.instructions ? ` (${before.instructions} before)` : '';
  const length = document.createElement('p');
  length.textContent = `${count.instructions} instructions${change}, ${count.fetches} of them texture fetches; ` +
    `${count.registers} registers. ${count.fits}`;
  const kinds = document.createElement('p');
  kinds.className = 'kinds';
  kinds.textContent = Object.entries(count.by_kind).map(([kind, times]) => `${kind} ${times}`).join(' · ');
  place.append(length, kinds);
  if (listing) {
    const text = document.createElement('pre');
    text.textContent = listing;
    text.tabIndex = 0;
    text.setAttribute('aria-label', 'Listing: the assembly of 2003');
    place.append(text);
  }
}

function say(text, bad) {
  byId('found').textContent = text;
  byId('found').classList.toggle('bad', bad);
}

/** Replaces the program by the text. */
function runProgram() {
  const name = byId('program').value;
  const text = byId('text').value;
  if (!page.running || !name) return;
  try {
    page.running.edit(name, text);
  } catch (error) {
    checkProgram();
    if (byId('found').textContent === '') say(inWords(error), true);
    return;
  }
  editsOf(page.scene).set(name, text);
  checkProgram();
  say('It runs now.', false);
  beginAgain();
}

/** Restarts after a change of a program, if the simulation has failed or the equation is solved. */
function beginAgain() {
  if (hasParts() || !byId('notice').hidden) restart();
}

function restoreProgram() {
  const name = byId('program').value;
  if (!page.running || !name) return;
  page.running.restore(name);
  editsOf(page.scene).delete(name);
  page.drafts.delete(`${page.scene} ${name}`);
  openProgram();
  beginAgain();
}

// ---- Links ----

/** Parts of a link that are no settings. */
const OF_PAGE = ['scene', 'preset', 'grid', 'view', 'programs', 'embed'];

/** Names and words as a link. */
function linkOf(words) {
  return Object.entries(words).map(([name, word]) => `${name}=${encodeURIComponent(word)}`).join('&');
}

/** An experiment as a link: settings follow the scene and the preset. */
const experimentOf = (scene, preset, settings) => [linkOf({ scene, preset }), linkOf(settings)].filter(Boolean).join('&');

/** The state of the page as a link: its experiment, as a command prints it with --link, and the texts that the reader runs. */
async function link() {
  const edits = [...editsOf(page.scene)];
  const programs = edits.length > 0 ? `&programs=${await pack(JSON.stringify(edits))}` : '';
  const words = page.running ? page.running.link() : experimentOf(page.scene, '', page.settings);
  return `${location.href.split('#')[0]}#${words}${programs}`;
}

/** The texts of a link's programs, and what is to be said of them. */
async function programsOf(letters) {
  try {
    const text = letters ? await unpackText(letters) : '[]';
    if (text === undefined) return [[], `The programs of this link have more than ${MOST_TEXT / 1000} kB: they are left out.`];
    return [JSON.parse(text).map(([program, own]) => [String(program), String(own)]), ''];
  } catch (error) {
    return [[], 'The programs of this link are damaged: copy the whole link.'];
  }
}

/**
 * Takes the page to the state of its link: an experiment, as a command prints it with --link, and edited programs. What a page
 * cannot run is said, and the scene is as usual.
 */
async function follow() {
  const state = new URLSearchParams(location.hash.slice(1));
  const scene = state.get('scene');
  document.body.classList.toggle('embed', state.has('embed'));
  byId('whole').href = `${location.href.split('#')[0]}#${location.hash.slice(1).replace(/&?embed=?/, '')}`;
  if (!page.card) return;
  byId('linked').textContent = '';
  if (!Object.hasOwn(SCENES, scene)) {
    if (scene !== null) byId('linked').textContent = 'This link names no scene of this page.';
    if (!page.running) enter(page.scene);
    return;
  }
  const [edits, said] = await programsOf(state.get('programs'));
  page.edits.set(scene, new Map(edits));
  byId('linked').textContent = said;
  for (const draft of [...page.drafts.keys()].filter((name) => name.startsWith(`${scene} `))) page.drafts.delete(draft);
  choose('side', state.get('grid') || '0');
  byId('side').dataset.chosen = 'yes';
  const preset = state.get('preset') || '';
  const [, second] = state.getAll('scene');
  const settings = Object.fromEntries([...state].filter(([name]) => !OF_PAGE.includes(name)));
  // Liquids have a setting of this name, too.
  if (second !== undefined) settings.scene = second;
  const [columns, rows = columns] = (settings.size || '').split(/[x×]/).map(Number);
  if (columns * rows > MOST_NODES && page.card.software()) {
    delete settings.size;
    byId('linked').textContent = 'This grid is too large for software: another one runs.';
  }
  await shown();
  const check = (words) => {
    try {
      wasm_bindgen.check(experimentOf(scene, preset, words), Number(byId('side').value));
      return '';
    } catch (error) {
      return inWords(error);
    }
  };
  // What is unknown or refused is left out; the rest of the link counts.
  const known = SCENES[scene].fields.map(({ name }) => name);
  const refused = Object.keys(settings).filter((name) => !known.includes(name)).map((name) => {
    delete settings[name];
    return `${scene} has no setting “${name}”: it is left out.`;
  });
  let fault = check(settings);
  for (const name of fault && !check({}) ? Object.keys(settings) : []) {
    const { [name]: word, ...others } = settings;
    if (!check({ [name]: word })) continue;
    delete settings[name];
    refused.push(`${check({ [name]: word })} The link’s other settings count.`);
    fault = check(others);
  }
  if (refused.length > 0) byId('linked').textContent = [byId('linked').textContent, ...refused].filter(Boolean).join(' ');
  if (!fault) {
    enter(scene, preset, settings);
  } else {
    byId('linked').textContent = `${fault} This is the scene as usual.`;
    choose('side', page.card.software() ? '64' : '128');
    enter(scene);
  }
  if (!page.running) return;
  if (choose('view', state.get('view'))) page.touched = attempt(() => page.running.view(Number(byId('view').value)));
  if (edits.length > 0) choose('program', edits[0][0]);
  openProgram();
}

/** Chooses an option by its value, if there is one. */
function choose(id, value) {
  const found = [...byId(id).options].some((option) => option.value === value);
  if (found) byId(id).value = value;
  return found;
}

/** Shows the link, a line for a page around this one, and what can be saved. */
async function share() {
  const url = await link();
  history.replaceState(null, '', url);
  byId('link').value = url;
  byId('embedded').value = `<iframe src="${url}&embed" width="560" height="560" title="fragstream"></iframe>`;
  byId('local').hidden = location.protocol !== 'file:';
  byId('saved').textContent = '';
  byId('share').showModal();
}

/** Copies the text of a field; a browser that does not allow it leaves the text selected. */
async function copy(id, say = (/** @type {string} */ text) => { byId('saved').textContent = text; }) {
  byId(id).select();
  try {
    await navigator.clipboard.writeText(byId(id).value);
    say('Copied.');
  } catch (error) {
    say('Press Ctrl+C to copy it.');
  }
}

function save(blob, ending) {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = `${page.scene}.${ending}`;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
  byId('saved').textContent = `Saved as ${anchor.download}.`;
}

/** Saves the next seconds of the picture. */
function record() {
  const type = clipType();
  const recorder = new MediaRecorder(page.canvas.captureStream(30), { mimeType: type });
  const parts = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.addEventListener('stop', () => save(new Blob(parts, { type }), type.split('/')[1]));
  recorder.start();
  play(true);
  byId('saved').textContent = `Recording ${CLIP / 1000} seconds …`;
  setTimeout(() => recorder.stop(), CLIP);
}

// ---- Controls ----

function restart() {
  byId('notice').hidden = true;
  dropTimes();
  page.residuals = [];
  page.steps = 0;
  page.touched = attempt(() => page.running.reset());
  if (page.touched) play(page.moves);
}

function press(pressed) {
  page.running.button(pressed, page.second || byId('second').checked);
  page.touched = true;
  // Strokes are drawn at once even while the simulation is paused.
  if (!page.playing) attempt(() => page.running.stroke());
}

/** A position on the canvas, in its pixels. */
function placeOf({ clientX, clientY }) {
  const box = page.canvas.getBoundingClientRect();
  return [
    ((clientX - box.left) * page.canvas.width) / box.width,
    ((clientY - box.top) * page.canvas.height) / box.height,
  ];
}

/** Moves a finger other than the first: it draws a stroke of its own. */
function finger(event, down) {
  page.running.finger(event.pointerId, ...placeOf(event), down, byId('second').checked);
  page.touched = true;
  if (!page.playing) attempt(() => page.running.stroke());
}

function listen(canvas) {
  const alive = () => page.running && canvas === page.canvas && byId('notice').hidden;
  canvas.addEventListener('pointerdown', (event) => {
    if (!alive()) return;
    canvas.setPointerCapture(event.pointerId);
    if (!event.isPrimary) {
      finger(event, true);
      return;
    }
    page.second = event.button === 2;
    page.running.moved(...placeOf(event));
    press(true);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!alive()) return;
    for (const one of event.getCoalescedEvents ? event.getCoalescedEvents() : [event]) {
      if (event.isPrimary) page.running.moved(...placeOf(one));
      else finger(one, true);
    }
  });
  for (const name of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(name, (event) => {
      if (!event.isPrimary) {
        if (alive()) finger(event, false);
        return;
      }
      if (alive()) press(false);
      page.second = false;
    });
  }
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('keydown', drawByKeys);
  canvas.addEventListener('focus', () => { byId('pen').hidden = !canvas.matches(':focus-visible'); placePen(); });
  canvas.addEventListener('blur', () => { byId('pen').hidden = true; });
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function placePen() {
  byId('pen').style.left = `${100 * page.pen[0]}%`;
  byId('pen').style.top = `${100 * page.pen[1]}%`;
}

/** Arrow keys move and draw with the pen; with Shift they only move it. Enter is a click. */
function drawByKeys(event) {
  const way = ARROWS[event.key];
  if ((!way && event.key !== 'Enter') || !page.running || !byId('notice').hidden) return;
  event.preventDefault();
  byId('pen').hidden = false;
  const pixels = () => [page.pen[0] * page.canvas.width, page.pen[1] * page.canvas.height];
  const draws = !event.shiftKey;
  page.running.moved(...pixels());
  if (draws) press(true);
  if (way) page.pen = page.pen.map((at, k) => Math.min(Math.max(at + 0.03 * way[k], 0), 1));
  page.running.moved(...pixels());
  if (draws) press(false);
  placePen();
}

function toggleAuto() {
  if (!SCENES[page.scene].motion || !page.running) return;
  attempt(() => page.running.toggle());
}

const KEYS = {
  ' ': () => byId('play').click(),
  s: () => byId('step').click(),
  r: () => byId('reset').click(),
  a: () => byId('auto').click(),
  '?': () => byId('help').showModal(),
};

function onKey(event) {
  const typing = event.target.matches('textarea, select, input');
  const pushes = event.target.matches('button, summary') && (event.key === ' ' || event.key === 'Enter');
  if (typing || pushes || event.ctrlKey || event.metaKey || event.altKey) return;
  if (byId('help').open || byId('share').open || !byId('letters').checked) return;
  const view = byId('view').options[Number(event.key) - 1];
  if (view) {
    byId('view').value = view.value;
    byId('view').dispatchEvent(new Event('change'));
  } else if (KEYS[event.key.toLowerCase()]) {
    event.preventDefault();
    KEYS[event.key.toLowerCase()]();
  }
}

/** Arrow keys choose a scene; the row of scenes is one stop of the Tab key. */
function chooseByKeys(event) {
  const all = [...byId('scenes').children];
  const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (!way) return;
  event.preventDefault();
  const next = all[(all.indexOf(event.target) + way + all.length) % all.length];
  next.focus();
  next.click();
}

/** What a reader has chosen for all visits, if the browser keeps it. */
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch (error) {
    return null;
  }
}

function connect() {
  for (const button of document.querySelectorAll('[data-scene]')) {
    button.addEventListener('click', () => enter(button.dataset.scene));
  }
  byId('scenes').addEventListener('keydown', chooseByKeys);
  byId('letters').checked = kept('letters') !== 'off';
  byId('letters').addEventListener('change', () => kept('letters', byId('letters').checked ? 'on' : 'off'));
  byId('play').addEventListener('click', () => {
    page.moves = true;
    remark('');
    play(!page.playing);
  });
  byId('fields').addEventListener('input', ({ target }) => {
    if (target.type === 'range') target.nextSibling.value = target.value;
  });
  byId('fields').addEventListener('change', ({ target }) => change(target));
  byId('unchanged').addEventListener('click', () => enter(page.scene, byId('preset').value));
  byId('copy-command').addEventListener('click', () => copy('command', remark));
  byId('step').addEventListener('click', () => {
    play(false);
    if (page.running && byId('notice').hidden) page.touched = attempt(advance);
  });
  byId('film').addEventListener('click', film);
  byId('reset').addEventListener('click', restart);
  byId('again').addEventListener('click', () => begin());
  byId('auto').addEventListener('change', toggleAuto);
  byId('view').addEventListener('change', () => {
    page.touched = attempt(() => page.running.view(Number(byId('view').value)));
    if (Object.hasOwn(page.settings, 'show')) page.settings.show = SCENES[page.scene].views[byId('view').value];
    fitCanvas();
    showCommand();
  });
  byId('side').addEventListener('change', () => {
    byId('side').dataset.chosen = 'yes';
    enter(page.scene, byId('preset').value, page.settings);
  });
  byId('preset').addEventListener('change', () => enter(page.scene, byId('preset').value));
  byId('program').addEventListener('change', openProgram);
  byId('run').addEventListener('click', runProgram);
  byId('original').addEventListener('click', restoreProgram);
  let typing = 0;
  byId('text').addEventListener('input', () => {
    page.drafts.set(`${page.scene} ${byId('program').value}`, byId('text').value);
    clearTimeout(typing);
    typing = setTimeout(checkProgram, 120);
  });
  byId('text').addEventListener('scroll', () => { byId('lines').scrollTop = byId('text').scrollTop; });
  byId('text').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) runProgram();
  });
  byId('open-share').addEventListener('click', share);
  byId('copy-link').addEventListener('click', () => copy('link'));
  byId('copy-embedded').addEventListener('click', () => copy('embedded'));
  byId('picture').addEventListener('click', () => page.canvas.toBlob((blob) => save(blob, 'png')));
  byId('record').addEventListener('click', record);
  window.addEventListener('hashchange', follow);
  byId('open-help').addEventListener('click', () => byId('help').showModal());
  document.addEventListener('keydown', onKey);
  new ResizeObserver(() => {
    if (!page.running || !byId('notice').hidden) return;
    // A new size clears the canvas.
    if (fitCanvas()) attempt(() => page.running.show());
  }).observe(byId('frame'));
}

async function start() {
  try {
    checkBrowser();
    await load();
  } catch (error) {
    unsupported(error);
    return;
  }
  connect();
  byId('shelf').open = innerWidth > 860 && innerHeight > 480 && !location.hash.includes('embed');
  requestAnimationFrame(frame);
  await begin(follow).catch((error) => stop(inWords(error)));
  if (document.body.dataset.ready) return;
  document.body.dataset.ready = 'live';
  document.body.dataset.opened = String(Math.round(performance.now()));
}

start();
