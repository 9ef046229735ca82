// The page: its films, its keys, its links.

/** Milliseconds after which a page is open, though not all of its programs are ready. */
const OPENING = 1700;
/** Milliseconds without a step after which the address is that of the place. */
const RESTING = 200;
const SPEEDS = [1, 2, 5, 10, 20, 60, 200];

const page = {
  elements: [...document.querySelectorAll('script.film')],
  lessons: [...document.querySelectorAll('.lesson')],
  decoded: new Map(),
  views: [],
  /** Steps of what is shown: the passes done, a number a film. */
  steps: [[0]],
  step: 0,
  playing: false,
  speed: 2,
  lesson: 0,
};

const byId = (id) => document.getElementById(id);

// ---- Opening ----

async function film(number) {
  if (!page.decoded.has(number)) {
    page.decoded.set(number, await decodeElement(page.elements[number]));
  }
  return page.decoded.get(number);
}

/** Shows these films, numbered from zero, beside each other. */
async function openFilms(numbers, lesson = null) {
  pause();
  for (const view of page.views) view.remove();
  page.views = [];
  const films = await Promise.all(numbers.map(film));
  document.body.classList.toggle('side-by-side', films.length > 1);
  page.steps = stepsTogether(films);
  page.numbers = numbers;
  page.views = films.map((one, column) => new FilmView(one, byId('stage'), {
    lesson,
    onGo: (passes) => goTo(stepOf(column, passes)),
  }));
  describe(films[0]);
  goTo(Math.min(1, page.steps.length - 1));
}

/**
 * The steps of films that run in step: within a scene each goes on by a pass, and who has come to its
 * end waits for the other.
 */
function stepsTogether(films) {
  const steps = [films.map(() => 0)];
  const scenes = Math.max(...films.map((one) => one.scenes.length));
  for (let scene = 0; scene < scenes; scene += 1) {
    const ends = films.map((one) => one.lastOf(Math.min(scene, one.scenes.length - 1)));
    let now = steps[steps.length - 1];
    while (now.some((passes, i) => passes < ends[i])) {
      now = now.map((passes, i) => Math.min(passes + 1, Math.max(ends[i], passes)));
      steps.push(now);
    }
  }
  return steps;
}

function stepOf(column, passes) {
  return page.steps.findIndex((step) => step[column] >= passes);
}

function describe(one) {
  byId('title').textContent = one.title;
  document.title = one.title;
  const { version, renderer, command } = one.made;
  byId('made').textContent = `Recorded by fragstream ${version} on ${renderer}: ${command}`;
  const scenes = byId('scene');
  scenes.textContent = '';
  one.scenes.forEach(({ title }, i) => {
    scenes.append(element('option', { value: i }, title || 'all passes'));
  });
  scenes.disabled = one.scenes.length < 2;
  byId('position').max = page.steps.length - 1;
}

// ---- Moving ----

function goTo(step) {
  page.step = Math.min(Math.max(step, 0), page.steps.length - 1);
  const passes = page.steps[page.step];
  page.views.forEach((view, i) => view.show(passes[i], page.playing));
  tell();
}

function tell() {
  const [view] = page.views;
  const [passes] = page.steps[page.step];
  byId('position').value = page.step;
  const all = view.film.passes.length;
  byId('position').setAttribute('aria-valuetext', `pass ${passes} of ${all}`);
  byId('counter').textContent = `${String(passes).padStart(String(all).length, '\u2007')} / ${all}`;
  byId('scene').value = view.film.sceneOf(passes);
  if (page.playing) return;
  const kernel = view.event ? view.film.kernels[view.event.kernel].name : 'before the first pass';
  byId('announcement').textContent = `Pass ${passes} of ${all}: ${kernel}. ${view.status || ''}`;
  // A browser may take as long for this as for a step, and some refuse it when it comes often.
  clearTimeout(page.remembering);
  page.remembering = setTimeout(rememberPlace, RESTING);
}

function moveBy(steps) {
  pause();
  goTo(page.step + steps);
}

function moveScene(by) {
  pause();
  const { film: first } = page.views[0];
  const [passes] = page.steps[page.step];
  const scene = first.sceneOf(passes);
  const isFirstPass = passes <= first.scenes[scene].first + 1;
  goToScene(by > 0 || isFirstPass ? scene + by : scene);
}

function goToScene(scene) {
  const { film: first } = page.views[0];
  if (scene >= first.scenes.length) goTo(page.steps.length - 1);
  else goTo(stepOf(0, first.scenes[Math.max(scene, 0)].first + 1));
}

// ---- Playing ----

function play() {
  if (page.step === page.steps.length - 1) page.step = 0;
  page.playing = true;
  page.since = performance.now();
  page.from = page.step;
  byId('play').textContent = 'Pause';
  requestAnimationFrame(advance);
}

function pause() {
  if (!page.playing) return;
  page.playing = false;
  byId('play').textContent = 'Play';
  goTo(page.step);
}

function togglePlay() {
  if (page.playing) pause();
  else play();
}

/** Shows the pass that it is time for; where drawing is slower than the speed, some are not shown. */
function advance(now) {
  if (!page.playing) return;
  const wanted = page.from + Math.floor(((now - page.since) / 1000) * SPEEDS[page.speed]);
  if (wanted > page.step) goTo(wanted);
  if (page.step >= page.steps.length - 1) pause();
  else requestAnimationFrame(advance);
}

function setSpeed(speed) {
  page.speed = Math.min(Math.max(speed, 0), SPEEDS.length - 1);
  page.since = performance.now();
  page.from = page.step;
  byId('speed').textContent = `${SPEEDS[page.speed]} passes/s`;
}

// ---- Links into a film ----

/** The place that a link leads to: #film=2&pass=123&stream=x&at=4,7. */
function linkedPlace() {
  return new URLSearchParams(location.hash.slice(1));
}

function rememberPlace() {
  const [view] = page.views;
  // Another film is about to be opened.
  if (!view) return;
  const place = new URLSearchParams();
  if (page.elements.length > 1) place.set('film', page.numbers[0] + 1);
  place.set('pass', view.passes);
  if (view.shownStream !== null) place.set('stream', view.film.streams[view.shownStream].label);
  const link = `#${place}${view.selected ? `&at=${view.selected.x},${view.selected.y}` : ''}`;
  if (location.hash === link) return;
  try {
    history.replaceState(null, '', link);
  } catch {
    // Some browsers allow no links into files.
  }
}

async function followLink() {
  const place = linkedPlace();
  const number = Number(place.get('film') || 1) - 1;
  const wanted = page.elements[number] ? number : 0;
  if (!page.numbers || page.numbers[0] !== wanted) {
    if (page.lessons.length > 0) await openLesson(lessonOf(wanted));
    else await openFilms(page.elements.length === 2 && !place.has('film') ? [0, 1] : [wanted]);
  }
  if (place.has('pass')) goTo(stepOf(0, Number(place.get('pass')) || 0));
  const [view] = page.views;
  if (place.has('stream')) {
    const label = place.get('stream');
    const used = view.event ? [view.event.target, ...Object.values(view.event.streams)] : [];
    const found = [...used, ...view.film.streams.keys()].find((stream) =>
      view.film.streams[stream].label === label && view.replay?.exists(stream));
    if (found !== undefined && !(view.event && found === view.event.target)) view.showStream(found);
  }
  const at = /^(\d+),(\d+)$/.exec(place.get('at') || '');
  if (at) view.select(Number(at[1]), Number(at[2]));
}

// ---- Lessons ----

function lessonOf(number) {
  const found = page.lessons.findIndex((lesson) => Number(lesson.dataset.film) === number + 1);
  return Math.max(found, 0);
}

async function openLesson(number) {
  page.lesson = number;
  const lesson = page.lessons[number];
  await openFilms([Number(lesson.dataset.film) - 1], lesson);
  byId('title').textContent = `${number + 1}. ${lesson.querySelector('h2').textContent}`;
  [...byId('lessons').children].forEach((button, i) => {
    button.setAttribute('aria-current', i === number);
  });
}

function makeLessons() {
  const nav = byId('lessons');
  nav.hidden = page.lessons.length === 0;
  page.lessons.forEach((lesson, i) => {
    nav.append(element('button', {
      type: 'button',
      title: lesson.querySelector('h2').textContent,
      'aria-label': `${i + 1}. ${lesson.querySelector('h2').textContent}`,
      onclick: () => openLesson(i),
    }, String(i + 1)));
  });
}

// ---- Modes ----

function toggleProjector() {
  const on = document.body.classList.toggle('projector');
  byId('projector').setAttribute('aria-pressed', on);
  for (const view of page.views) {
    view.placeLedger();
    view.render();
  }
}

function toggleSideBySide() {
  if (page.elements.length !== 2 || page.lessons.length > 0) return;
  openFilms(page.numbers.length === 2 ? [0] : [0, 1]).then(() =>
    byId('side-by-side').setAttribute('aria-pressed', page.numbers.length === 2));
}

function toggleHelp() {
  const help = byId('help');
  if (help.open) help.close();
  else help.showModal();
}

const forAll = (act) => () => page.views.forEach(act);
const zoomBy = (factor) => forAll((view) => view.setZoom(view.zoom * factor));
const channel = (number) => forAll((view) => view.setMode('one', number));

const KEYS = {
  ' ': togglePlay,
  ArrowLeft: () => moveBy(-1),
  ArrowRight: () => moveBy(1),
  'Shift+ArrowLeft': () => moveScene(-1),
  'Shift+ArrowRight': () => moveScene(1),
  Home: () => moveBy(-Infinity),
  End: () => moveBy(Infinity),
  '+': () => setSpeed(page.speed + 1),
  '=': () => setSpeed(page.speed + 1),
  '-': () => setSpeed(page.speed - 1),
  1: channel(0),
  2: channel(1),
  3: channel(2),
  4: channel(3),
  5: forAll((view) => view.setMode('colours', 0)),
  0: forAll((view) => view.setMode('all', 0)),
  r: forAll((view) => view.setRange(view.range === 'pass' ? 'film' : 'pass')),
  t: forAll((view) => view.showStream(null)),
  z: zoomBy(2),
  'Shift+z': zoomBy(0.5),
  l: toggleSideBySide,
  f: toggleProjector,
  '?': toggleHelp,
  'Ctrl+ArrowLeft': forAll((view) => view.moveSelection(-1, 0)),
  'Ctrl+ArrowRight': forAll((view) => view.moveSelection(1, 0)),
  'Ctrl+ArrowUp': forAll((view) => view.moveSelection(0, 1)),
  'Ctrl+ArrowDown': forAll((view) => view.moveSelection(0, -1)),
};

function onKey(event) {
  if (event.altKey || event.metaKey || byId('help').open) return;
  const { target } = event;
  const types = target.matches('select, input:not([type="range"])');
  // A key that the focused control has a use for is left to it.
  if (types || (event.key === ' ' && target.matches('button'))) return;
  const isLetter = /^[a-zA-Z]$/.test(event.key);
  const shift = event.shiftKey && (isLetter || event.key.startsWith('Arrow')) ? 'Shift+' : '';
  const key = isLetter ? event.key.toLowerCase() : event.key;
  const act = KEYS[`${event.ctrlKey ? 'Ctrl+' : ''}${shift}${key}`];
  if (!act || page.views.length === 0) return;
  event.preventDefault();
  act();
}

function listen() {
  const clicks = {
    'to-start': KEYS.Home,
    'scene-back': () => moveScene(-1),
    back: () => moveBy(-1),
    play: togglePlay,
    forward: () => moveBy(1),
    'scene-forward': () => moveScene(1),
    'to-end': KEYS.End,
    slower: KEYS['-'],
    faster: KEYS['+'],
    projector: toggleProjector,
    'side-by-side': toggleSideBySide,
    'open-help': toggleHelp,
  };
  for (const [id, act] of Object.entries(clicks)) {
    byId(id).addEventListener('click', (event) => {
      act();
      // After a click with the mouse, Space plays again.
      if (event.detail > 0) event.currentTarget.blur();
    });
  }
  byId('position').addEventListener('input', (event) => {
    pause();
    goTo(Number(event.target.value));
  });
  byId('scene').addEventListener('change', (event) => goToScene(Number(event.target.value)));
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', followLink);
}

async function start() {
  byId('side-by-side').hidden = page.elements.length !== 2 || page.lessons.length > 0;
  byId('side-by-side').setAttribute('aria-pressed', page.elements.length === 2);
  setSpeed(window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : page.speed);
  makeLessons();
  listen();
  try {
    await followLink();
  } catch (error) {
    byId('stage').append(element('p', { class: 'note' }, error.message));
    throw error;
  }
  // Who steps on at once is not to wait for a program that is made ready only then.
  const areReady = Promise.all(page.views.map(({ ready }) => ready));
  await Promise.race([areReady, after(OPENING - performance.now())]);
  document.body.dataset.ready = 'yes';
}

start();
