// Drives the page of figures/course/live.html, and tells what its solvers computed.

const strike = (key, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

/** All textures of a scene after this many time steps or cycles, with these programs edited. */
function computed({ scene, side, units, edits }) {
  const running = page.card.scene(`scene=${scene}`, side, 64, 64);
  for (const [name, text] of Object.entries(edits)) running.edit(name, text);
  for (let unit = 0; unit < units; unit += 1) {
    do running.step(); while (!running.between());
  }
  const textures = JSON.parse(running.textures()).map(({ label }, i) => [label, [...running.texels(i)]]);
  const { passes, fetches, cards } = JSON.parse(running.bill());
  const programs = JSON.parse(running.programs()).map(({ name }) => [name, running.text(name, false)]);
  running.free();
  return { textures: Object.fromEntries(textures), passes, fetches, cards, programs };
}

/** What is said of texts, and whether they are taken. */
function judged({ scene, name, texts }) {
  const running = page.card.scene(`scene=${scene}`, 16, 64, 64);
  running.step();
  const all = texts.map((text) => {
    let refused = null;
    try {
      running.edit(name, text);
    } catch (error) {
      refused = String(error);
    }
    return { refused, checked: JSON.parse(running.check(name, text)) };
  });
  running.free();
  return all;
}

/** A hostile text, typed into the page and run. */
async function typed(hostile) {
  byId('text').value = hostile;
  byId('text').dispatchEvent(new Event('input'));
  await until('a wrong line', () => byId('lines').querySelector('.wrong'));
  byId('run').click();
  await until('a message', () => byId('found').textContent);
  const found = { said: byId('found').textContent, lines: byId('lines').querySelectorAll('.wrong').length };
  byId('original').click();
  return { ...found, restored: byId('text').value.includes('void main()') };
}

/** Everything that keys do: the state before and after each. */
async function keyed() {
  const state = () => ({ playing: page.playing, steps: page.steps, view: byId('view').value, auto: byId('auto').checked });
  const seen = {};
  for (const key of [' ', 's', '2', 'a', 'r']) {
    strike(key);
    seen[key] = state();
  }
  page.canvas.focus();
  const before = [...page.running.texels(4)];
  strike(' ');
  strike('ArrowRight', page.canvas);
  strike('ArrowDown', page.canvas);
  seen.stirred = [...page.running.texels(4)].some((value, i) => value !== before[i]);
  seen.pen = page.pen;
  strike('?');
  seen.help = byId('help').open;
  byId('help').close();
  strike(' ');
  return seen;
}

/** The page with a context that is lost and comes back, in a window of another size. */
async function disturbed() {
  const gl = page.canvas.getContext('webgl2');
  const lose = gl.getExtension('WEBGL_lose_context');
  lose.loseContext();
  const told = await until('a notice', () => !byId('notice').hidden);
  const said = byId('reason').textContent;
  byId('again').click();
  const back = await until('a new context', () => byId('notice').hidden && page.running !== null);
  byId('frame').style.width = '300px';
  fitCanvas();
  const width = page.canvas.width;
  const { steps } = page;
  advance();
  page.running.show();
  return { told, said, back, width, went: page.steps > steps, scene: page.scene };
}

/** The state of the page, sent as a link to a page that shows something else; then links that nobody made. */
async function linked() {
  const state = () => ({
    scene: page.scene, preset: byId('preset').value, command: page.running.command(), view: byId('view').value,
    programs: [...editsOf(page.scene)], program: byId('program').value, text: byId('text').value,
    notice: byId('notice').hidden, said: byId('linked').textContent, reason: byId('reason').textContent, found: byId('found').textContent,
  });
  enter('water');
  byId('preset').value = byId('preset').options[1].value;
  choose('side', '128');
  enter('water', byId('preset').value);
  page.running.view(1);
  byId('view').value = '1';
  byId('text').value = byId('text').value.replace('void main() {', 'void main() { // mine');
  runProgram();
  const sent = state();
  const url = await link();
  const go = async (hash) => {
    editsOf('water').clear();
    page.drafts.clear();
    enter('cycle');
    location.hash = hash;
    await until('the scene of the link', () => page.scene === 'water' && page.running !== null);
    return state();
  };
  const text = byId('text').value;
  const wrong = await pack(JSON.stringify([[sent.program, `${text}\nnonsense`]]));
  const received = await go(new URL(url).hash);
  const damaged = await go('#scene=water&grid=9999&view=77&programs=H4sI');
  const unknown = await go('#scene=water&preset=%3Cimg%20src=x%3E');
  const refused = await go(`#scene=water&programs=${wrong}`);
  page.drafts.clear();
  openProgram();
  return { sent, url, received, damaged, unknown, refused };
}

/** The first steps of a clip of a moving scene: the ending of its file, its first bytes, and whether a picture follows. */
async function clipped() {
  enter('dye');
  page.playing = true;
  const kept = [save, setTimeout.bind(window)];
  const saved = new Promise((done) => { save = (blob, ending) => done([blob, ending]); });
  const from = page.steps;
  window.setTimeout = (act, time) => (time < 1000 ? kept[1](act, time) : until('steps', () => page.steps > from + 5).then(act));
  record();
  const [blob, ending] = await saved;
  [save, window.setTimeout] = kept;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  // Matroska's Cluster, which holds pictures.
  const pictured = bytes.some((_, at) => [0x1f, 0x43, 0xb6, 0x75].every((byte, k) => bytes[at + k] === byte));
  return { ending, begins: [...bytes.slice(0, 4)], pictured };
}

/** A step with edited programs as the page that the button opens, and its number of passes. */
function filmed({ scene, side, edits }) {
  enter(scene);
  const kept = [window.open, page.running];
  const opened = [];
  window.open = (url) => opened.push(url);
  page.running = page.card.scene(`scene=${scene}`, side, 64, 64);
  page.running.step();
  for (const [name, text] of Object.entries(edits)) page.running.edit(name, text);
  byId('film').click();
  const { passes } = JSON.parse(page.running.bill());
  const made = page.running.film();
  page.running.free();
  [window.open, page.running] = kept;
  return { made, passes, playing: page.playing, opened: opened.map((url) => url.split(':')[0]) };
}

async function drive() {
  await until('the page', () => document.body.dataset.ready !== undefined);
  const { ready } = document.body.dataset;
  const common = {
    ready,
    resources: performance.getEntriesByType('resource').map(({ name }) => name),
    shown: document.querySelectorAll('#pictures:not([hidden]) img').length,
    title: document.title,
    reason: byId('reason').textContent,
  };
  if (ready !== 'live') return common;
  const task = JSON.parse(document.getElementById('task').textContent);
  const answer = {
    ...common,
    computed: task.computed.map(computed),
    judged: judged(task.judged),
    typed: await typed(task.hostile),
    keyed: await keyed(),
    filmed: filmed(task.computed[1]),
    linked: await linked(),
    clipped: await clipped(),
    disturbed: await disturbed(),
  };
  for (const name of task.scenes) {
    enter(name);
    page.running.coarser();
    page.running.show();
    page.running.finish();
    answer[name] = {
      notice: byId('notice').hidden ? '' : byId('reason').textContent,
      textures: byId('textures').children.length,
      programs: page.programs.length,
      passes: byId('counts').textContent,
      length: byId('length').textContent,
      program: byId('text').value.length,
      auto: byId('auto').checked,
    };
  }
  return { ...answer, images: document.querySelectorAll('main img, iframe, object, link').length, ended: document.title };
}

drive().catch((error) => ({ error: `${error.message || error}\n${error.stack}` })).then((answer) => {
  window.parent.postMessage(answer, '*');
});
