// The texts of programs: made ready for WebGL 2, made to tell what they fetch, and made readable.

// Notes where the fetch of the wanted number went. An extra row on top of each copied input holds the
// input's number: a program cannot be asked which sampler it was given.
const PROBING = `
uniform float film_wanted;
float film_number = 0.0;
float film_discarded = 0.0;
vec4 film_found = vec4(-1.0);
vec4 film_fetch(highp sampler2D s, vec2 p) {
  ivec2 size = textureSize(s, 0) - ivec2(0, 1);
  ivec2 at = clamp(ivec2(floor(p)), ivec2(0), size - 1);
  if (film_number == film_wanted) {
    film_found = vec4(vec2(at), texelFetch(s, ivec2(0, size.y), 0).x, 0.0);
  }
  film_number += 1.0;
  return texelFetch(s, at, 0);
}
#undef texture
#define texture(s, p) film_fetch(s, p)
#define discard { film_discarded = 1.0; return; }
`;

// The result of a probing program: what its wanted fetch found, and how many fetches there were.
const FOUND =
  'result = vec4(film_found.xyz, film_discarded > 0.0 ? -1.0 - film_number : film_number);';

/** The text that WebGL 2 compiles: macros in front of it translate it, and its lines keep their numbers. */
function translate(text, { points = false, probing = false } = {}) {
  // ANGLE reads this largest float as infinity; one digit less is the same float.
  const own = text.replace(/^#version 330 core$/m, '').replaceAll('3.4028235e38', '3.4028234e38');
  const sines = /sin|cos/.test(own) ? SINES : '';
  const head = `#version 300 es\n${HEAD}${sines}${probing ? PROBING : ''}`;
  if (!points && !probing) return head + own;
  const [before, after] = points ? ['gl_PointSize = 1.0;', ''] : ['', FOUND];
  return `${head}#define main film_program
${own}
#undef main
void main() { ${before} film_program(); ${after} }
`;
}

// ---- What a reader sees ----

/**
 * The program as its author wrote it, each line with its `number` and a list of `pieces` `{text, kind}`: the
 * defines that make it this variant are put in where they are used ("value"), comments ("comment") and fetches
 * ("machine") are told apart, and what the variant leaves out is gone.
 */
function readableLines(text) {
  const macros = headMacros(text.slice(0, startOfBody(text)));
  const kept = [];
  const taken = [true];
  bodyOf(text).split('\n').forEach((line, i) => {
    if (isCondition(line, macros, taken)) return;
    // The length in the file's own header is that of another variant.
    if (taken.every(Boolean) && !line.startsWith('// Cost:')) kept.push({ number: i + 1, pieces: pieces(line, macros) });
  });
  return kept;
}

const plainText = ({ pieces: list }) => list.map(({ text: words }) => words).join('');

/** The readable text, to be edited. */
function editableText(text) {
  return readableLines(text).map(plainText).join('\n');
}

/** Where a program's own text begins: what is before it is the prelude. */
function startOfBody(text) {
  const mark = text.startsWith('#version 330 core\n') ? text.indexOf('#line 1\n') : -1;
  return mark < 0 ? 0 : mark + '#line 1\n'.length;
}

const bodyOf = (text) => text.slice(startOfBody(text)).trimEnd();
const withBody = (text, body) => `${text.slice(0, startOfBody(text))}${body.replace(/[^\S\n\r\t]/g, ' ')}\n`;

/** The `#define`s in front of the prelude: those of this variant. */
function headMacros(head) {
  const macros = new Map();
  for (const line of head.slice(0, Math.max(head.indexOf('// The machine'), 0)).split('\n')) {
    const found = /^#define (\w+)(\(([^)]*)\))?\s*(.*)$/.exec(line);
    if (!found) continue;
    const parameters = found[2] === undefined ? null : found[3].split(',').map((p) => p.trim());
    macros.set(found[1], { parameters, value: found[4] });
  }
  return macros;
}

/** Whether this line is a condition; `taken` is kept up to date. */
function isCondition(line, macros, taken) {
  const found = /^\s*#\s*(ifdef|ifndef|if|else|endif)\b\s*(.*)$/.exec(line);
  if (!found) return false;
  const [, word, rest] = found;
  if (word === 'ifdef') taken.push(macros.has(rest.trim()));
  if (word === 'ifndef') taken.push(!macros.has(rest.trim()));
  if (word === 'if') taken.push(isGreater(rest, macros));
  if (word === 'else') taken.push(!taken.pop());
  if (word === 'endif') taken.pop();
  return true;
}

/** `NAME > number`, the one comparison that the programs use; what cannot be told is shown. */
function isGreater(condition, macros) {
  const found = /^(\w+)\s*>\s*(\d+)\s*$/.exec(condition);
  const macro = found && macros.get(found[1]);
  return macro ? Number(macro.value) > Number(found[2]) : true;
}

/** The pieces of a line. */
function pieces(line, macros) {
  const comment = line.indexOf('//');
  const code = comment < 0 ? line : line.slice(0, comment);
  const list = substituted(code, macros);
  if (comment >= 0) list.push({ text: line.slice(comment), kind: 'comment' });
  return list;
}

function substituted(code, macros) {
  const list = [];
  const words = /[A-Za-z_]\w*/g;
  let done = 0;
  for (let found = words.exec(code); found; found = words.exec(code)) {
    const word = found[0];
    const macro = macros.get(word);
    const kind = macro ? 'value' : kindOf(word);
    if (kind === null) continue;
    const end = macro && macro.parameters ? closing(code, words.lastIndex) : words.lastIndex;
    if (end < 0) continue;
    list.push({ text: code.slice(done, found.index), kind: 'code' });
    const text = macro ? expand(macro, code.slice(words.lastIndex, end), macros) : word;
    list.push({ text, kind, title: macro ? code.slice(found.index, end) : '' });
    done = end;
    words.lastIndex = end;
  }
  list.push({ text: code.slice(done), kind: 'code' });
  return list.filter((piece) => piece.text !== '');
}

function kindOf(word) {
  if (word === 'fetch' || word === 'here' || word === 'result') return 'machine';
  return /^(uniform|stream|void|float|vec[234]|mat[234]|bool|for|if|else|return|in|out|const|discard)$/
    .test(word) ? 'word' : null;
}

/** The end of the arguments that begin here, or -1. */
function closing(code, start) {
  if (code[start] !== '(') return -1;
  let depth = 0;
  for (let i = start; i < code.length; i += 1) {
    if (code[i] === '(') depth += 1;
    if (code[i] === ')' && (depth -= 1) === 0) return i + 1;
  }
  return -1;
}

function expand(macro, call, macros) {
  const flat = (code) => substituted(code, macros).map((piece) => piece.text).join('');
  if (!macro.parameters) return macro.value;
  const given = splitArguments(call.slice(1, -1)).map((one) => flat(one.trim()));
  return macro.value.replace(/[A-Za-z_]\w*/g, (word) => {
    const at = macro.parameters.indexOf(word);
    return at < 0 || given[at] === undefined ? word : given[at];
  });
}

function splitArguments(text) {
  const list = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) list.push('');
    else list[list.length - 1] += character;
  }
  return list;
}
