// Drives the player by keys alone, and tells what is then to be seen.

/** Texels of the large picture that are not empty. */
function painted() {
  const canvas = document.querySelector('.picture');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 3; i < data.length; i += 4) count += Number(data[i] > 0);
  return count;
}

// ---- Contrast ----

/** Relative luminance (WCAG 2) of an opaque colour as browsers compute it. */
function luminance(colour) {
  const linear = colour.map((byte) => byte / 255).map((part) =>
    (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** Red, green, blue and opacity. */
function readColour(colour) {
  const [red, green, blue, opacity = 1] = colour.match(/[\d.]+/g).map(Number);
  return { colour: [red, green, blue], opacity };
}

/** The first background under an element that can be seen. */
function behind(element) {
  for (let one = element; one; one = one.parentElement) {
    const { colour, opacity } = readColour(getComputedStyle(one).backgroundColor);
    if (opacity === 1) return colour;
    if (opacity > 0) throw new Error(`half a background: ${one.className}`);
  }
  return [255, 255, 255];
}

/** The contrast of each pair of colours that text now stands in, with an example of it. */
function contrasts(pairs) {
  for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
    if (!text || !element.checkVisibility() || element.matches('script, option')) continue;
    const { colour } = readColour(getComputedStyle(element).color);
    const ground = behind(element);
    const [dark, light] = [luminance(colour), luminance(ground)].sort((a, b) => a - b);
    const example = `${element.tagName} ${element.className}: ${text.data.trim().slice(0, 30)}`;
    pairs[`${colour} on ${ground}`] = [(light + 0.05) / (dark + 0.05), example];
  }
}

/** What cannot be read from the last row: text of less than 24 pixels, and whatever is wider than its place. */
function unreadable() {
  const texts = [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility()
    && !element.matches('script, option')
    && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const small = texts.filter((element) => parseFloat(getComputedStyle(element).fontSize) < 24);
  const places = document.querySelectorAll('html, header, footer, .tabs, .panel, .controls, .ledger');
  const wide = [...places].filter((place) => place.checkVisibility() && place.scrollWidth > place.clientWidth + 1);
  return [...small, ...wide].map((element) => `${element.tagName} ${element.className}`);
}

/** For a projector, on all panels. */
function projected() {
  tap('f');
  const all = [...document.querySelectorAll('[role="tab"]')].flatMap((tab) => {
    tab.click();
    return unreadable();
  });
  tap('f');
  return [...new Set(all)];
}

/** The same in all states of the page: panels, help, projector. */
function allContrasts() {
  const pairs = {};
  contrasts(pairs);
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    tab.click();
    contrasts(pairs);
  }
  for (const key of ['f', '?']) {
    tap(key);
    contrasts(pairs);
  }
  document.getElementById('help').close();
  tap('f');
  return pairs;
}

/** Presses a key until that moves nothing; before each press, what there is to be seen. */
function pressOn(key, more, seen) {
  const all = [];
  for (let before = -1; before !== page.step;) {
    before = page.step;
    all.push(seen());
    tap(key, more);
  }
  return all;
}

/** Follows a link, and tells where it leads and what the address then is. */
async function follow(link) {
  const followed = new Promise((done) => { addEventListener('hashchange', done, { once: true }); });
  location.hash = link;
  await followed;
  rememberPlace();
  return [document.getElementById('counter').textContent.trim(), location.hash];
}

async function drive() {
  await until('the page', () => document.body.dataset.ready === 'yes');
  const counter = document.getElementById('counter');
  tap('Home');
  const scene = document.getElementById('scene');
  const walked = pressOn('ArrowRight', { shiftKey: true }, () => scene.value);
  tap('Home');
  const badge = document.querySelector('.badge');
  const statuses = new Set(pressOn('ArrowRight', {}, () => (badge.hidden ? 'no pass' : badge.textContent)));
  const end = counter.textContent;
  const slider = document.getElementById('position').value;
  const links = [await follow('#pass=99999'), await follow('#scene=1'), await follow('#pass=1&at=2,1')];
  tap('d');
  await until('an address that follows', () => location.hash !== links.at(-1)[1]);
  const chosen = location.hash;
  tap('?');
  const help = [document.getElementById('help').open];
  tap('?');
  help.push(document.getElementById('help').open);
  for (const key of ['End', 'ArrowLeft', '2', '0', 'r', 'f', 'f', 'z', '+', '-']) tap(key);
  tap('w');
  const texel = [...document.querySelectorAll('.panel')].find((panel) => !panel.hidden);
  if (page.views[0].replay) await until('fetches', () => texel.querySelector('table:not(.bits) tr'));
  return {
    end: end.trim(),
    slider,
    scenes: [...scene.options].map(({ value }) => value),
    walked,
    statuses: [...statuses],
    links,
    chosen,
    help,
    fetches: texel.querySelectorAll('table:not(.bits) tr').length,
    history: texel.querySelectorAll('button.link').length,
    text: document.body.textContent,
    images: document.querySelectorAll('img, iframe, object, link').length,
    title: document.title,
    painted: painted(),
    unreadable: projected(),
    pairs: allContrasts(),
  };
}

drive().catch((error) => ({ error: `${error.message}\n${error.stack}` })).then((answer) => {
  window.parent.postMessage(answer, '*');
});
