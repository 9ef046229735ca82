// The comparison: runs the films of five methods, and shows what each leaves of the divergence.

const { cells: CELLS, methods } = JSON.parse(byId('rows').textContent);
const SIDE = CELLS + 1;
/** The right-hand side, one value per node. */
let right = new Float32Array(SIDE * SIDE);
const films = [];
/** Dark enough on paper, bright enough in the dark. */
const COLOURS = ['#8a6d3b', '#2f7fd0', '#7a5fd0', '#2a9d5c', '#d0543f'];

const widthOf = (at) => (at === 0 || at === CELLS ? 0.5 : 1);

/** f − A p of each node over the area of its control volume, in double precision, and its root mean square. */
function divergenceOf(pressure) {
  const densities = new Float64Array(SIDE * SIDE);
  let squares = 0;
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const at = y * SIDE + x;
      let residual = right[at];
      const flow = (isThere, face, other) => { if (isThere) residual -= face * (pressure[at] - pressure[other]); };
      flow(x > 0, widthOf(y), at - 1);
      flow(x < CELLS, widthOf(y), at + 1);
      flow(y > 0, widthOf(x), at - SIDE);
      flow(y < CELLS, widthOf(x), at + SIDE);
      densities[at] = residual / (widthOf(x) * widthOf(y));
      squares += residual * densities[at];
    }
  }
  return { densities, norm: Math.sqrt(squares) / CELLS };
}

/** Runs a film's passes from the end of its preparation to the end of a unit; milliseconds, and the pressure. */
function runFilm(film, replay, units, [column, row]) {
  const first = film.scenes[0].to;
  // The last event of a unit is that the CPU reads the pressure.
  let last = film.scenes[units].to;
  while (film.events[last - 1].kind !== 'read') last -= 1;
  replay.goTo(0);
  replay.goTo(first);
  let pressure = 0;
  replay.readPart([...replay.surfaces.keys()][0], [0, 0, 1, 1]);
  const start = performance.now();
  for (const event of film.events.slice(first, last)) {
    replay.apply(event);
    // What the CPU waits for is waited for here.
    if (event.kind === 'read') replay.readPart(pressure = event.stream, event.rectangle);
  }
  const time = performance.now() - start;
  const [width] = film.streams[pressure].size;
  const all = replay.read(pressure);
  replay.position = last;
  const nodes = Float32Array.from({ length: SIDE * SIDE }, (_, i) =>
    all[4 * ((Math.floor(i / SIDE) + row) * width + (i % SIDE) + column)]);
  return { time, nodes };
}

/** The number of units of a method for a goal. */
function unitsFor({ steps }, goal) {
  const budget = methods[0].steps.find(({ units }) => units === 20).fetches;
  const step = goal === 'one' ? steps[1] : goal === 'budget' ? steps.filter(({ fetches }) => fetches <= budget).pop()
    : steps.find(({ divergence }) => divergence <= Number(goal));
  return step.units;
}

async function runAll() {
  const goal = byId('goal').value;
  byId('run').disabled = true;
  const before = divergenceOf(new Float32Array(SIDE * SIDE));
  const peak = before.densities.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (const [i, method] of methods.entries()) {
    byId('state').textContent = `${method.name} …`;
    await new Promise((done) => { setTimeout(done, 0); });
    const [canvas, said] = ['canvas', '.said'].map((part) => byId('cards').children[i].querySelector(part));
    const wanted = unitsFor(method, goal);
    const units = Math.min(wanted, method.filmed);
    const counted = (count) => `${count} ${method.unit.toLowerCase()}${count === 1 ? '' : 's'}`;
    films[i] ??= await decodeElement(byId(`film-${i + 1}`));
    const replay = new Replay(films[i]);
    let [time, nodes] = [0, new Float32Array(SIDE * SIDE)];
    // The first run has programs made ready; the second one is timed.
    for (let run = 0; run < 2 && units > 0; run += 1) ({ time, nodes } = runFilm(films[i], replay, units, method.origin));
    replay.gl.getExtension('WEBGL_lose_context')?.loseContext();
    const { densities, norm } = divergenceOf(nodes);
    const data = new Float32Array(4 * SIDE * SIDE);
    densities.forEach((value, node) => { data[4 * node] = value; });
    Object.assign(canvas, { width: SIDE, height: SIDE });
    canvas.getContext('2d').putImageData(imageOf({ data, size: [SIDE, SIDE], mode: 'one', channel: 0, channels: 1, peak }), 0, 0);
    const recorded = method.steps.find((step) => step.units === units).divergence;
    const share = norm / before.norm;
    const rest = wanted > units ? `; at this speed ${counted(wanted)} take ${((time / units) * wanted / 1000).toFixed(2)} s` : '';
    said.textContent = `${counted(units)}, ${time.toFixed(1)} ms here${rest}. ` +
      `${(100 * share).toPrecision(3)} % of the divergence is left${units > 0 ? `, ${(100 * recorded).toPrecision(3)} % in the recording` : ''}.`;
    canvas.setAttribute('aria-label', `${method.name}: divergence that is left`);
    canvas.parentElement.dataset.share = String(share);
    canvas.parentElement.dataset.recorded = String(recorded);
  }
  byId('state').textContent = '';
  byId('run').disabled = false;
}

// ---- The chart ----

const svg = (tag, properties, text = '') => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
};

function drawChart() {
  const axis = byId('axis').value;
  const workOf = (step) => (axis === 'model' ? step.seconds + step.switching : step[axis]);
  const all = methods.flatMap(({ steps }) => steps.slice(1).map(workOf));
  const [low, high] = [Math.min(...all), Math.max(...all)].map(Math.log10);
  const x = (work) => 50 + 560 * ((Math.log10(work) - low) / (high - low));
  const y = (share) => 20 - 68 * Math.log10(Math.max(share, 1e-4));
  const chart = byId('chart');
  chart.replaceChildren();
  for (const share of [1, 0.1, 0.01, 0.001]) {
    chart.append(svg('line', { class: 'axis', x1: 50, x2: 610, y1: y(share), y2: y(share) }),
      svg('text', { x: 44, y: y(share) + 4, 'text-anchor': 'end' }, `${100 * share} %`));
  }
  for (let power = Math.ceil(low); power <= high; power += 1) {
    chart.append(svg('line', { class: 'axis', x1: x(10 ** power), x2: x(10 ** power), y1: 20, y2: 300 }),
      svg('text', { x: x(10 ** power), y: 318, 'text-anchor': 'middle' }, axis === 'model' ? `1e${power} s` : `1e${power}`));
  }
  const work = byId('axis').selectedOptions[0].textContent;
  chart.append(svg('text', { x: 330, y: 340, 'text-anchor': 'middle' }, work),
    svg('text', { x: 8, y: 10 }, 'divergence left'));
  methods.forEach(({ name, steps }, i) => {
    const points = steps.slice(1).map((step) => [x(workOf(step)), y(step.divergence)]);
    const [left, top] = points.at(-1);
    chart.append(svg('polyline', { points: points.map((one) => one.join()).join(' '), stroke: COLOURS[i] }),
      ...(points.length < 9 ? points : []).map(([cx, cy]) => svg('circle', { cx, cy, r: 3.5, fill: COLOURS[i] })),
      svg('text', { x: left + (i === 2 ? -7 : 7), y: top + 4, 'text-anchor': i === 2 ? 'end' : 'start',
        style: `fill: ${COLOURS[i]}; font-weight: 700` }, name));
  });
}

async function startPage() {
  for (const { name, about } of methods) {
    byId('cards').append(element('li', {}, element('strong', {}, name), element('canvas', { role: 'img', width: 1, height: 1 }),
      element('p', { class: 'said', role: 'status' }), element('p', {}, about)));
  }
  drawChart();
  byId('axis').addEventListener('change', drawChart);
  byId('run').addEventListener('click', () => runAll().catch((error) => { byId('state').textContent = error.message; }));
  right = new Float32Array(await unpack(byId('right').textContent));
  document.body.dataset.ready = 'yes';
}

startPage();
