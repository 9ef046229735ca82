// The page around the solvers. It only displays numbers; the library behind `wasm_bindgen` computes them.
// All texts are inserted as text, never as HTML.
'use strict';

/** The registry of scenes, by name: views, presets, what the mouse does. The library describes it. */
const SCENES = {};

/** Exercises, by scene. `program` is the beginning of the name of the program that opens first. */
const LESSONS = {
  dye: {
    program: 'kruger2003/simulation/project',
    hint: 'Try: in `gradient`, write `return 0.3 * fetch(pressure, …`. The pressure no longer keeps the fluid together.',
  },
  water: {
    program: 'kruger2003/simulation/water_right_hand_side',
    hint: 'Try: write `0.99 * fetch(u, here)`. The waves die away. What does `1.01` do?',
  },
  jet: {
    program: 'bolz2003/fluid/advect',
    hint: 'Try: write `here + dt` instead of `here - dt`. Advection now looks forwards in time instead of backwards.',
  },
  cycle: {
    program: 'bolz2003/grid/stencil/jacobi',
    hint: 'Try: write `2.5 * omega / DIAGONAL(i)`. Jacobi no longer smooths, and the residual grows. Where is the limit?',
    pace: 100,
  },
};
const NO_LESSON = { program: '', hint: '' };
const lesson = () => LESSONS[page.scene] || NO_LESSON;

/** Tests whether a unit of work has several steps, each on a level. */
const hasParts = () => SCENES[page.scene].unit !== 'time step';

/** Milliseconds between two updates of the ledger, and of the textures. */
const LEDGER_EVERY = 250;
const SHELF_EVERY = 400;
/** Number of steps between two timings. */
const TIMED_EVERY = 8;
/** Longest acceptable time of a picture, in milliseconds. */
const PICTURE = 30;
/** Length of a clip, in milliseconds. */
const CLIP = 5000;
/** Number of residuals in the plot. */
const HISTORY = 120;
const LINE = 1.5;

const page = {
  card: null,
  running: null,
  canvas: null,
  scene: 'dye',
  /** Settings that replace some of the preset's, as words by name. */
  settings: {},
  playing: true,
  steps: 0,
  times: [],
  pictures: [],
  residuals: [],
  lastStep: 0,
  lastLedger: 0,
  lastShelf: 0,
  textures: [],
  programs: [],
  /** Texts that a reader runs, by scene and program. */
  edits: new Map(),
  /** Texts that a reader has typed. */
  drafts: new Map(),
  pen: [0.5, 0.5],
};

// ---- Start ----

/** The library, unpacked from the page, and its scenes. */
async function load() {
  await wasm_bindgen({ module_or_path: await unpack(byId('wasm').textContent.trim()) });
  for (const scene of JSON.parse(wasm_bindgen.scenes())) {
    SCENES[scene.name] = scene;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: scene.name });
    button.dataset.scene = scene.name;
    byId('scenes').append(button);
  }
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

/** Starts the scene again, on a new canvas, or leaves that to what follows a link. */
function begin(enters = true) {
  release();
  try {
    const { canvas, gl } = newContext();
    page.card = new wasm_bindgen.Card(gl);
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
  if (enters) enter(page.scene, byId('preset').value, page.settings);
}

/** Enters a scene on the present canvas, with the settings of a preset or the usual ones, some of them replaced. */
function enter(name, preset = '', settings = {}) {
  Object.assign(page, { scene: name, settings });
  const scene = SCENES[name];
  for (const button of document.querySelectorAll('[data-scene]')) {
    button.setAttribute('aria-pressed', String(button.dataset.scene === name));
  }
  byId('about').textContent = `${scene.about}.`;
  byId('unit').textContent = `of the last ${scene.unit}`;
  // Every second part is code.
  byId('try').replaceChildren(...lesson().hint.split('`').map((part, i) => {
    const piece = document.createElement(i % 2 ? 'code' : 'span');
    piece.textContent = part;
    return piece;
  }));
  for (const [id, words] of [['auto', scene.motion], ['second', scene.second]]) {
    byId(`${id}-label`).hidden = !words;
    byId(`${id}-name`).textContent = words;
  }
  byId('second').checked = false;
  byId('pace').value = String(lesson().pace || 0);
  byId('view').replaceChildren(...scene.views.map((view, i) => new Option(view, String(i))));
  const usual = scene.preset || scene.presets[0][0];
  const presets = scene.presets.map(([one]) => one).filter((one) => one !== usual && one !== 'film');
  byId('preset').replaceChildren(new Option('usual', ''), ...presets.map((one) => new Option(one)));
  byId('preset').value = presets.includes(preset) ? preset : '';
  const known = preset === usual || byId('preset').value === preset;
  document.body.classList.toggle('pairs', hasParts());
  Object.assign(page, { steps: 0, times: [], pictures: [], residuals: [], textures: [], programs: [] });
  byId('textures').replaceChildren();
  attempt(() => {
    if (page.running) page.running.free();
    page.running = null;
    const { width, height } = page.canvas;
    const words = linkOf({ scene: name, preset: known ? byId('preset').value : preset, ...settings });
    page.running = page.card.scene(words, Number(byId('side').value), width, height);
    fitCanvas();
    byId('view').value = String(page.running.shown());
    byId('auto').checked = page.running.automatic();
    byId('notice').hidden = true;
    // A cycle has many steps: the ledger, the programs and the textures are those of a whole cycle.
    do advance(); while (!page.running.between() && page.steps < 200);
    for (const [program, text] of editsOf(name)) takeOver(program, text);
    page.running.show();
    showLedger();
    showShelf();
  });
  play(true);
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
  const across = Math.min((byId('frame').clientWidth || 512) * (devicePixelRatio || 1), 900);
  const height = Math.round(Math.max(200, Math.min(across / aspect, 720)));
  const width = Math.round(Math.max(200, across));
  page.canvas.style.aspectRatio = `${width} / ${height}`;
  if (page.canvas.width === width && page.canvas.height === height) return false;
  Object.assign(page.canvas, { width, height });
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

// ---- Time ----

function play(playing) {
  page.playing = playing;
  byId('play').textContent = playing ? 'Pause' : 'Play';
}

/** Performs one step, which is timed occasionally. */
function advance() {
  const timed = page.steps % TIMED_EVERY === 0;
  if (timed) page.running.finish();
  const start = performance.now();
  page.running.step();
  if (timed) {
    page.running.finish();
    page.times = [...page.times.slice(-14), performance.now() - start];
  }
  page.steps += 1;
}

/** Takes a step, and opens it as a film: there the fetches of a texel are hits or misses of a texture cache. */
function film() {
  play(false);
  if (!page.running || !byId('notice').hidden) return;
  page.touched = attempt(() => {
    const made = new Blob([page.running.film()], { type: 'text/html' });
    window.open(URL.createObjectURL(made));
    page.steps += 1;
  });
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] || 0;

function frame(now) {
  requestAnimationFrame(frame);
  if (!page.running || !byId('notice').hidden) return;
  attempt(() => {
    const due = page.playing && now - page.lastStep >= Number(byId('pace').value);
    if (due) {
      page.lastStep = now;
      advance();
    }
    if (due || page.touched) {
      page.touched = false;
      const start = performance.now();
      page.running.show();
      if (page.steps % TIMED_EVERY === 1) {
        page.running.finish();
        spendLess(performance.now() - start);
      }
    }
    if (now - page.lastLedger > LEDGER_EVERY) {
      page.lastLedger = now;
      showLedger();
    }
    if (now - page.lastShelf > SHELF_EVERY && byId('shelf').open) {
      page.lastShelf = now;
      showShelf();
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
  row(cards, 'this browser, here and now', page.times.length ? median(page.times).toFixed(1) : '');
  showResidual(bill);
  listPrograms();
  byId('status').textContent = [
    `step ${grouped(page.steps)}`,
    time && `${time} per step`,
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
  textures.forEach(({ label, size, format }, i) => {
    const item = list.children[i];
    const [canvas, name, range] = item.children;
    const [width, height, most] = page.running.picture(i);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pixels = new Uint8ClampedArray(page.running.pixels());
    if (width > 0) canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
    name.textContent = label;
    range.textContent = `${size[0]}×${size[1]} ${format}, ±${short(most)}`;
    item.classList.toggle('active', active !== null && label.startsWith(active[0]));
  });
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
  const chosen = kept ? select.value : names.find((name) => name.startsWith(lesson().program));
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
  const text = draft === undefined ? page.running.text(name, false) || '' : draft;
  byId('text').value = text;
  // The program itself is at the end, after its prelude and parts.
  const line = Math.max(text.split('\n').findLastIndex((one) => one.startsWith('uniform')) - 3, 0);
  byId('text').scrollTop = line * LINE * parseFloat(getComputedStyle(byId('text')).fontSize);
  byId('text').scrollLeft = 0;
  checkProgram();
}

/** Checks the text against the rules of 2003, and shows its length. */
function checkProgram() {
  const name = byId('program').value;
  const text = byId('text').value;
  if (!page.running || !name) return;
  const { violations, count, listing } = JSON.parse(page.running.check(name, text));
  const before = JSON.parse(page.running.check(name, page.running.text(name, true) || '')).count;
  const wrong = new Set(violations.map(([line]) => line));
  byId('lines').replaceChildren(...text.split('\n').flatMap((_, i) => {
    const mark = document.createElement('span');
    mark.textContent = String(i + 1);
    mark.className = wrong.has(i + 1) ? 'wrong' : '';
    return [mark, '\n'];
  }));
  byId('lines').scrollTop = byId('text').scrollTop;
  say(violations.map(([, what]) => what).join('\n'), violations.length > 0);
  showLength(count, before, listing);
  byId('edited').hidden = !editsOf(page.scene).has(name);
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
const OF_PAGE = ['scene', 'preset', 'grid', 'view', 'programs'];

/** A text packed by gzip, in base64 with characters that links may have. */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Names and words as a link. */
function linkOf(words) {
  return Object.entries(words).map(([name, word]) => `${name}=${encodeURIComponent(word)}`).join('&');
}

/** The state of the page as a link: scene, settings, grid, view, and the texts that the reader runs. */
async function link() {
  const [preset, grid, view] = ['preset', 'side', 'view'].map((id) => byId(id).value);
  const edits = [...editsOf(page.scene)];
  const programs = edits.length > 0 ? { programs: await pack(JSON.stringify(edits)) } : {};
  const state = { scene: page.scene, preset, ...page.settings, grid, view, ...programs };
  return `${location.href.split('#')[0]}#${linkOf(state)}`;
}

/**
 * Takes the page to the state of its link: an experiment, as a command prints it with --link, the view, and edited programs. A
 * scene that no link can mean is as usual.
 */
async function follow() {
  const state = new URLSearchParams(location.hash.slice(1));
  const scene = state.get('scene');
  if (!page.card) return;
  if (!Object.hasOwn(SCENES, scene)) {
    if (!page.running) enter(page.scene);
    return;
  }
  let edits = [];
  byId('linked').textContent = '';
  try {
    const packed = (state.get('programs') || '').replaceAll('-', '+').replaceAll('_', '/');
    if (packed) edits = JSON.parse(new TextDecoder().decode(await unpack(packed)));
    page.edits.set(scene, new Map(edits.map(([program, text]) => [String(program), String(text)])));
  } catch (error) {
    byId('linked').textContent = 'The programs of this link are damaged: copy the whole link.';
    edits = [];
  }
  for (const draft of [...page.drafts.keys()].filter((name) => name.startsWith(`${scene} `))) page.drafts.delete(draft);
  choose('side', state.get('grid') || '0');
  byId('side').dataset.chosen = 'yes';
  const settings = Object.fromEntries([...state].filter(([name]) => !OF_PAGE.includes(name)));
  // A canvas that was never shown has no pixels.
  await new Promise(requestAnimationFrame);
  enter(scene, state.get('preset') || '', settings);
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
  byId('command').value = page.running ? page.running.command() : '';
  byId('originals').hidden = editsOf(page.scene).size === 0;
  byId('embedded').value = `<iframe src="${url}" width="1280" height="900" title="fragstream"></iframe>`;
  byId('record').hidden = !window.MediaRecorder;
  byId('saved').textContent = '';
  byId('share').showModal();
}

/** Copies the text of a field; a browser that does not allow it leaves the text selected. */
async function copy(id) {
  byId(id).select();
  try {
    await navigator.clipboard.writeText(byId(id).value);
    byId('saved').textContent = 'Copied.';
  } catch (error) {
    byId('saved').textContent = 'Press Ctrl+C to copy it.';
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
  const recorder = new MediaRecorder(page.canvas.captureStream(30), { mimeType: 'video/webm' });
  const parts = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.addEventListener('stop', () => save(new Blob(parts, { type: 'video/webm' }), 'webm'));
  recorder.start();
  play(true);
  byId('saved').textContent = `Recording ${CLIP / 1000} seconds …`;
  setTimeout(() => recorder.stop(), CLIP);
}

// ---- Controls ----

function restart() {
  byId('notice').hidden = true;
  page.residuals = [];
  page.steps = 0;
  page.touched = attempt(() => page.running.reset());
  if (page.touched) play(true);
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

function listen(canvas) {
  const alive = () => page.running && canvas === page.canvas && byId('notice').hidden;
  canvas.addEventListener('pointerdown', (event) => {
    if (!alive() || !event.isPrimary) return;
    canvas.setPointerCapture(event.pointerId);
    page.second = event.button === 2;
    page.running.moved(...placeOf(event));
    press(true);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!alive() || !event.isPrimary) return;
    for (const one of event.getCoalescedEvents ? event.getCoalescedEvents() : [event]) {
      page.running.moved(...placeOf(one));
    }
  });
  for (const name of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(name, (event) => {
      if (!event.isPrimary) return;
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
  if (byId('help').open || byId('share').open) return;
  const view = byId('view').options[Number(event.key) - 1];
  if (view) {
    byId('view').value = view.value;
    byId('view').dispatchEvent(new Event('change'));
  } else if (KEYS[event.key.toLowerCase()]) {
    event.preventDefault();
    KEYS[event.key.toLowerCase()]();
  }
}

function connect() {
  for (const button of document.querySelectorAll('[data-scene]')) {
    button.addEventListener('click', () => enter(button.dataset.scene));
  }
  byId('play').addEventListener('click', () => play(!page.playing));
  byId('step').addEventListener('click', () => {
    play(false);
    if (page.running && byId('notice').hidden) page.touched = attempt(advance);
  });
  byId('film').addEventListener('click', film);
  byId('reset').addEventListener('click', restart);
  byId('again').addEventListener('click', begin);
  byId('auto').addEventListener('change', toggleAuto);
  byId('view').addEventListener('change', () => {
    page.touched = attempt(() => page.running.view(Number(byId('view').value)));
    fitCanvas();
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
  byId('copy-command').addEventListener('click', () => copy('command'));
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
    await load();
  } catch (error) {
    unsupported(error);
    return;
  }
  connect();
  begin(!location.hash.includes('scene='));
  if (document.body.dataset.ready) return;
  await follow();
  document.body.dataset.ready = 'live';
  document.body.dataset.opened = String(Math.round(performance.now()));
  requestAnimationFrame(frame);
}

start();
