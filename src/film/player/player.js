// The page: its films, its keys, its links.

/** Milliseconds after which a page is open, though not all of its programs are ready. */
const OPENING = 1700;
/** Milliseconds without a step after which the address is that of the place. */
const RESTING = 200;
/** Title of the page, before it is that of a film. */
const PAGE_TITLE = document.title;
const SPEEDS = [1, 2, 5, 10, 20, 60, 200];

const page = {
  elements: [...document.querySelectorAll('script.film')],
  lessons: [...document.querySelectorAll('.lesson')],
  decoded: new Map(),
  views: [],
  /** Steps of what is shown: the number of a stop, for each film; and where scenes start. */
  steps: [[0]],
  starts: [0],
  step: 0,
  /** Passes done in each film when the second one was last shown or hidden. */
  passes: [],
  playing: false,
  speed: 2,
  lesson: 0,
  /** Films that the library has recorded here, with the reader's texts, in place of those of the page. */
  again: new Map(),
};

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
  page.difference?.root.remove();
  Object.assign(page, { views: [], difference: null });
  const recorded = await Promise.all(numbers.map(film));
  // The first of two stays as its reader has made it.
  const films = recorded.map((one, i) => (i === 0 && page.again.get(numbers[0])) || one);
  // One film twice: as its reader has made it, as recorded, and the difference.
  const isComparison = films.length > 1 && films[0] === films[1];
  document.body.classList.toggle('side-by-side', films.length > 1);
  document.body.classList.toggle('comparing', isComparison);
  Object.assign(page, stepsTogether(films));
  page.numbers = numbers;
  page.views = films.map((one, column) => new FilmView(one, byId('stage'), {
    lesson: column === 0 ? lesson : null,
    recorded: recorded[column],
    title: films.length > 1 && recorded[0] === recorded[1] ? ['yours', 'recorded'][column] : one.title,
    onGo: (passes) => goTo(page.steps.findIndex((step) => step[column] >= one.stopOf(passes))),
    onPlace: rememberSoon,
    onPeers: () => page.difference?.render(),
    onWork: (program, body) => takeWork(numbers[0], program, body),
    onDraft: (program, body) => work.note(numbers[0], program, body),
    onRunOn: library.isThere && lesson?.dataset.scene ? runOn : null,
  }));
  if (lesson) showAnswers(lesson, numbers[0]);
  if (page.views[0].replay) page.views[0].program.takeTexts(work.of(numbers[0]), work.drafts(numbers[0]));
  if (isComparison && page.views[0].replay) {
    page.difference = new DifferencePane(page.views[0], byId('stage'));
    for (const view of page.views) view.peers = page.views;
    page.views[0].open('Program');
  }
  describe(films);
  byId('side-by-side').setAttribute('aria-pressed', String(films.length > 1));
  goTo(Math.max(1, page.starts[Math.max(...films.map(({ opens }) => opens))]));
}

/** Keeps a text that runs now; the recorded one again ends what the library has recorded. */
function takeWork(number, program, body) {
  work.take(number, program, body).then(rememberSoon);
  if (body === null && page.again.delete(number)) reopen();
}

/** Opens the same film, where it was. */
async function reopen() {
  const shown = page.views.map(({ at }) => at.passes);
  const { isEditing } = page.views[0].program;
  await openFilms(page.numbers, page.lessons[page.lesson] ?? null);
  goTo(stepOf(shown));
  if (isEditing) page.views[0].program.edit(true);
}

/** Has the library run this lesson with the reader's texts, to its end: the CPU decides again. */
async function runOn() {
  const [number] = page.numbers;
  const { program } = page.views[0];
  program.tell('The library runs this lesson again …');
  await after(30);
  try {
    page.again.set(number, await library.film(page.lessons[page.lesson].dataset, work.of(number)));
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    program.tell(error.message);
    return;
  }
  await reopen();
  rememberSoon();
}

/** The recorded film in place of what the library has recorded. */
function runAsRecorded() {
  page.again.delete(page.numbers[0]);
  return reopen();
}

/**
 * The steps of films that run in step, and the first one of each scene: within a scene each goes on by
 * a stop, and who has come to its end waits for the other.
 */
function stepsTogether(films) {
  const steps = [];
  const starts = [];
  const scenes = Math.max(...films.map((one) => one.scenes.length));
  for (let scene = 0; scene < scenes; scene += 1) {
    const stops = films.map((one) => one.stopsIn(scene));
    const longest = Math.max(...stops.map(([first, last]) => last - first));
    starts.push(steps.length);
    for (let i = 0; i <= longest; i += 1) {
      steps.push(stops.map(([first, last]) => Math.min(first + i, last)));
    }
  }
  return { steps, starts };
}

/** The first step at which each film has drawn so many passes; if there is none, the last one. */
function stepOf(passes) {
  const found = page.steps.findIndex((step) => page.views.every(({ film: one }, i) =>
    one.stops[step[i]].passes >= Math.min(passes[i] || 0, one.passes.length)));
  return found >= 0 ? found : page.steps.length - 1;
}

function describe(films) {
  const [one] = films;
  const title = [...new Set(films.map((each) => each.title))].join(' | ');
  const lesson = page.lessons[page.lesson];
  byId('title').textContent = lesson ? `${page.lesson + 1}. ${lesson.querySelector('h2').textContent}` : title;
  document.title = title;
  const { version, renderer, command } = one.made;
  byId('made').textContent = `Recorded by fragstream ${version} on ${renderer}: ${command}`;
  const scenes = byId('scene');
  scenes.textContent = '';
  page.starts.forEach((_, i) => {
    const named = films.map((each) => each.scenes[i]?.title).find(Boolean);
    scenes.append(element('option', { value: i }, named || 'all passes'));
  });
  scenes.disabled = page.starts.length < 2;
  byId('position').max = Math.max(...films.map(({ passes }) => passes.length));
}

// ---- Moving ----

function goTo(step) {
  page.step = Math.min(Math.max(step, 0), page.steps.length - 1);
  page.views.forEach((view, i) => view.show(page.steps[page.step][i], page.playing));
  page.difference?.render();
  tell();
}

function tell() {
  const shown = page.difference ? page.views.slice(0, 1) : page.views;
  const counts = shown.map(({ at, film: { passes } }) => [at.passes, passes.length]);
  // The film with most passes moves the slider: stops without a pass leave it where it is.
  const [longest] = [...counts].sort(([, a], [, b]) => b - a);
  byId('position').value = longest[0];
  const said = counts.map(([done, all]) => `pass ${done} of ${all}`).join(', ');
  byId('position').setAttribute('aria-valuetext', said);
  byId('counter').textContent = counts.map(([done, all]) =>
    `${String(done).padStart(String(all).length, '\u2007')} / ${all}`).join(' | ');
  byId('scene').value = sceneNow();
  if (page.playing) return;
  const [view] = page.views;
  const what = view.event ? `${view.film.kernels[view.event.kernel].name}. ${view.status || ''}`
    : view.film.scenes[view.at.scene].title;
  byId('announcement').textContent = `${said}: ${what}`;
  rememberSoon();
}

/** The scene of this step. */
function sceneNow() {
  const next = page.starts.findIndex((start) => start > page.step);
  return next < 0 ? page.starts.length - 1 : next - 1;
}

function moveBy(steps) {
  pause();
  goTo(page.step + steps);
}

function moveScene(by) {
  pause();
  const scene = sceneNow();
  goToScene(by > 0 || page.step === page.starts[scene] ? scene + by : scene);
}

/** To the first step of a scene; behind the last one, to the end. */
function goToScene(scene) {
  goTo(page.starts[Math.max(scene, 0)] ?? page.steps.length - 1);
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

// #film=2&pass=123&stream=x&at=4,7: a film of several; the passes done (of each film that is shown), or
// the number of a scene that has none; the stream that is shown, by the program's name for it, if it is
// not the target; and the texel chosen in it, or as `fragment` the one that was chosen in the target. `programs` has the
// reader's texts, `answers` those to a lesson's questions, and `again` is there if the library has run the texts to the end.
// `by` and `version` are for who teaches, as are #class and #key.
const OF_LINKS = ['film', 'pass', 'scene', 'stream', 'at', 'fragment', 'again', 'programs', 'answers', 'by', 'version', 'class', 'key'];

/** The address follows, but not each step: it may take a browser as long, and some refuse it then. */
function rememberSoon() {
  clearTimeout(page.remembering);
  if (!page.playing) page.remembering = setTimeout(rememberPlace, RESTING);
}

function rememberPlace() {
  const [view] = page.views;
  // Another film is about to be opened.
  if (!view) return;
  const place = [];
  if (page.numbers.length < page.elements.length) place.push(`film=${page.numbers[0] + 1}`);
  const passes = page.views.map(({ at }) => at.passes);
  place.push(stepOf(passes) === page.step ? `pass=${passes}` : `scene=${sceneNow() + 1}`);
  const { shownStream, selected } = view;
  if (shownStream !== null) place.push(`stream=${nameOfStream(view, shownStream)}`);
  const kind = selected?.stream === view.stream ? 'at' : 'fragment';
  if (selected) place.push(`${kind}=${selected.x},${selected.y}`);
  if (page.again.has(page.numbers[0])) place.push('again=1');
  const programs = work.packed.get(page.numbers[0]);
  if (programs) place.push(`programs=${programs}`);
  // The browser keeps the reader's own answers, and some keep nothing.
  const [number] = page.numbers;
  if (answers.packed.get(number) && !answers.isOwn(number)) place.push(`answers=${answers.packed.get(number)}`);
  const link = `#${place.join('&')}`;
  if (location.hash === link) return;
  try {
    history.replaceState(null, '', link);
  } catch {
    // Some browsers allow no links into files.
  }
}

/** A stream as this pass calls it; one that it does not read has a number only. */
function nameOfStream({ event }, stream) {
  const found = Object.entries(event?.streams ?? {}).find(([, read]) => read === stream);
  return found ? found[0] : String(stream);
}

/** The stream of that name, if it is there. */
function streamNamed({ event, film: { streams }, replay }, name) {
  const read = Object.entries(event?.streams ?? {}).find(([known]) => known === name);
  const wanted = read ? read[1] : /^\d+$/.test(name) ? Number(name)
    : streams.findIndex(({ label }, stream) => label === name && replay?.exists(stream));
  return streams[wanted] && replay?.exists(wanted) ? wanted : null;
}

async function followLink() {
  const place = new URLSearchParams(location.hash.slice(1));
  const number = Number(place.get('film') || 1) - 1;
  const one = page.elements[number] ? number : 0;
  if (place.has('class')) openClass();
  if (place.has('key')) openKey();
  const said = [...place.keys()].filter((name) => !OF_LINKS.includes(name))
    .map((name) => `This page has no “${name}”: that part of the link is left out.`);
  if (place.has('film') && one !== number) said.push(`This page has no film ${place.get('film')}: this is the first one.`);
  for (const [part, keeps] of Object.entries({ programs: work, answers })) {
    if (!place.has(part) || place.get(part) === keeps.packed.get(one)) continue;
    try {
      await keeps.follow(one, place.get(part));
      if (keeps === work) page.again.delete(one);
      page.numbers = null;
    } catch {
      said.push(keeps === work ? 'The programs of this link are damaged. Copy the whole link.'
        : 'The answers of this link are damaged. Copy the whole link.');
    }
  }
  byId('notice').replaceChildren(...said.map((words) => element('span', {}, `${words} `)));
  byId('notice').hidden = said.length === 0;
  const wanted = isPair() && !place.has('film') ? [0, 1] : [one];
  if (String([...new Set(page.numbers)]) !== String(wanted)) {
    if (page.lessons.length > 0) await openLesson(lessonOf(one));
    else await openFilms(wanted);
  }
  if (place.has('again') && !page.again.has(one) && page.views[0].onRunOn) await runOn();
  if (place.has('pass')) goTo(stepOf(place.get('pass').split(',').map(Number)));
  else if (place.has('scene')) goToScene(Number(place.get('scene')) - 1 || 0);
  const [view] = page.views;
  view.showStream(place.has('stream') ? streamNamed(view, place.get('stream')) : null);
  const texel = (name) => /^(\d+),(\d+)$/.exec(place.get(name) || '')?.slice(1).map(Number);
  if (texel('at')) view.select(...texel('at'));
  else if (texel('fragment')) view.select(...texel('fragment'), view.event?.target);
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
  [...byId('lessons').children].forEach((button, i) => {
    button.setAttribute('aria-current', String(i === number));
  });
}

/** To a lesson that is so many further on, if there is one. */
function moveLesson(by) {
  if (page.lessons[page.lesson + by]) openLesson(page.lesson + by);
}

function makeLessons() {
  const nav = byId('lessons');
  nav.hidden = page.lessons.length === 0;
  byId('open-hand-in').hidden = nav.hidden;
  page.lessons.forEach((lesson, i) => {
    const title = lesson.querySelector('h2').textContent;
    nav.append(element('button', { type: 'button', title, 'aria-label': `${i + 1}. ${title}`, onclick: () => openLesson(i) },
      String(i + 1), element('span', { class: 'lesson-title' }, ` ${title}`)));
  });
}

// ---- Modes ----

function toggleProjector() {
  const on = document.body.classList.toggle('projector');
  byId('projector').setAttribute('aria-pressed', String(on));
  for (const view of page.views) {
    view.placeLedger();
    view.render();
  }
}

/** Whether the page was made to show two films; others show one, or the same twice, of which one can be edited. */
const isPair = () => page.elements.length === 2 && page.lessons.length === 0;

/** Hides the second film or shows it again; each film stays where it was. */
async function toggleSideBySide() {
  const shown = page.views.map(({ at }) => at.passes);
  const [one] = page.numbers;
  page.passes = isPair() ? [...shown, ...page.passes.slice(shown.length)] : [shown[0], shown[0]];
  const second = isPair() ? 1 : one;
  await openFilms(shown.length === 2 ? [one] : [one, second], page.lessons[page.lesson] ?? null);
  goTo(stepOf(page.passes));
}

function toggleHelp() {
  const help = byId('help');
  if (help.open) help.close();
  else help.showModal();
}

const forAll = (act) => () => (page.difference ? page.views.slice(0, 1) : page.views).forEach(act);
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
  e: () => page.views[0].program.edit(),
  i: forAll((view) => view.program.toggleAssembly()),
  f: toggleProjector,
  '?': toggleHelp,
  a: forAll((view) => view.moveSelection(-1, 0)),
  d: forAll((view) => view.moveSelection(1, 0)),
  w: forAll((view) => view.moveSelection(0, 1)),
  s: forAll((view) => view.moveSelection(0, -1)),
  n: () => moveLesson(1),
  p: () => moveLesson(-1),
};

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (document.querySelector('dialog[open]') && !(byId('help').open && event.key === '?')) return;
  const { target } = event;
  const types = target.matches('select, textarea, input:not([type="range"])');
  // A key that the focused control has a use for is left to it.
  if (types || (event.key === ' ' && target.matches('button'))) return;
  const isLetter = /^[a-zA-Z]$/.test(event.key);
  const shift = event.shiftKey && (isLetter || event.key.startsWith('Arrow')) ? 'Shift+' : '';
  const key = isLetter ? event.key.toLowerCase() : event.key;
  const act = KEYS[shift + key];
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
    'open-hand-in': openHandIn,
    'copy-link': copyLink,
    'open-class': openClass,
    'show-class': showClass,
    'save-class': saveClass,
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
    const { max, value } = event.target;
    goTo(stepOf(page.views.map(({ film: { passes } }) => (passes.length === Number(max) ? Number(value) : 0))));
  });
  byId('scene').addEventListener('change', (event) => goToScene(Number(event.target.value)));
  document.addEventListener('input', (/** @type {any} */ { target }) => { if (target.dataset.part) takeAnswer(target, page.numbers[0]); });
  document.addEventListener('click', (/** @type {any} */ { target }) => { if (target.matches('.ask')) showHint(target); });
  document.addEventListener('keydown', onKey);
  window.addEventListener('hashchange', followLink);
}

async function start() {
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
