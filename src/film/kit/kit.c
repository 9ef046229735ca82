/* Runs the works of works.txt on a card with fragment programs, and adds their times and errors to kit.csv: see README.md.
   C89, OpenGL 1.5; extensions: ARB_fragment_program or NV_fragment_program, EXT_framebuffer_object, rectangle textures,
   float textures by ARB, ATI or NV. kit PROCESS [CLOCK [ROUNDS [arb]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "window.h"

enum {
    TEXTURE0 = 0x84C0, RECTANGLE = 0x84F5, PROGRAM_ARB = 0x8804, PROGRAM_NV = 0x8870, ASCII = 0x8875, NATIVE = 0x88B6,
    ERROR_POSITION = 0x864B, ERROR_STRING = 0x8874, FRAMEBUFFER = 0x8D40, COLOUR = 0x8CE0, COMPLETE = 0x8CD5, SAMPLES = 0x8914,
     RESULT = 0x8866, CLAMP_FRAGMENT = 0x891B, CLAMP_READ = 0x891C, UNITS = 16, WORKS = 64, ROUNDS = 64
};

/* The entry points of extensions: type, name here, name in drivers, arguments. */
#define ENTRIES \
    E(void, active_texture, "glActiveTextureARB", (GLenum unit)) \
    E(void, coordinate, "glMultiTexCoord4fvARB", (GLenum unit, const GLfloat *value)) \
    E(void, make_arb, "glGenProgramsARB", (GLsizei n, GLuint *names)) \
    E(void, bind_arb, "glBindProgramARB", (GLenum target, GLuint name)) \
    E(void, text_arb, "glProgramStringARB", (GLenum target, GLenum format, GLsizei length, const void *text)) \
    E(void, local_arb, "glProgramLocalParameter4fvARB", (GLenum target, GLuint at, const GLfloat *value)) \
    E(void, ask_arb, "glGetProgramivARB", (GLenum target, GLenum what, GLint *answer)) \
    E(void, make_nv, "glGenProgramsNV", (GLsizei n, GLuint *names)) \
    E(void, bind_nv, "glBindProgramNV", (GLenum target, GLuint name)) \
    E(void, text_nv, "glLoadProgramNV", (GLenum target, GLuint name, GLsizei length, const GLubyte *text)) \
    E(void, named_nv, "glProgramNamedParameter4fvNV", (GLuint name, GLsizei n, const GLubyte *what, const GLfloat *value)) \
    E(void, make_frames, "glGenFramebuffersEXT", (GLsizei n, GLuint *names)) \
    E(void, bind_frame, "glBindFramebufferEXT", (GLenum target, GLuint name)) \
    E(void, delete_frames, "glDeleteFramebuffersEXT", (GLsizei n, const GLuint *names)) \
    E(void, attach, "glFramebufferTexture2DEXT", (GLenum to, GLenum where, GLenum kind, GLuint texture, GLint level)) \
    E(GLenum, check_frame, "glCheckFramebufferStatusEXT", (GLenum target)) \
    E(void, make_queries, "glGenQueriesARB", (GLsizei n, GLuint *names)) \
    E(void, begin_query, "glBeginQueryARB", (GLenum target, GLuint name)) \
    E(void, end_query, "glEndQueryARB", (GLenum target)) \
    E(void, ask_query, "glGetQueryObjectuivARB", (GLuint name, GLenum what, GLuint *answer)) \
    E(void, barrier, "glTextureBarrierNV", (void)) \
    E(void, clamp, "glClampColorARB", (GLenum target, GLenum whether))
#define E(type, name, text, arguments) static type (APIENTRY *name) arguments;
ENTRIES
#undef E

typedef unsigned int word;
typedef union { word w; float f; } bits;
typedef struct { int width, height, channels, bits; GLuint name, frame; } texture;
typedef struct { int count, *rectangles; } area;
typedef struct { GLuint name; int streams, parameters, coordinates; float *values; } program;
/* A pass ('p', or 'P' if it is counted): program, target, area, whether it reads its target, coordinates, and textures.
   Reading ('r'): texture and rectangle. Clearing ('x'): texture. Waiting ('g'). */
#define IS_PASS(kind) (((kind) | 32) == 'p')
typedef struct { char kind; int at[5 + UNITS]; float *values; } step;
/* Some texels of a texture after a number of steps, the hash of all of it, and its largest error that is not a fault. */
typedef struct { int step, texture, count, *places; float bound, *values; word hash; double error; } check;
typedef struct {
    char name[256], file[256];
    const char *why; /* why it is not run, if it is not */
    double divisor, milliseconds[ROUNDS];
    int textures, programs, areas, vertices, steps, is_equal;
    texture *texture; program *program; area *area; float **vertex; step *step;
    check early, late;
} work;

static int is_nv, used[2][3];
static GLuint query, bound_frame, bound_program, bound_texture[UNITS];
static const GLenum formats[2][3][4] = { /* of 32 and 16 bits; of 1, 2 and 4 channels: by ARB, by NV, luminance, all four */
    { { 0x822E, 0x8885, 0x8818, 0x8814 }, { 0x8230, 0x8887, 0x8814, 0x8814 }, { 0x8814, 0x888B, 0x8814, 0x8814 } },
    { { 0x822D, 0x8884, 0x881E, 0x881A }, { 0x822F, 0x8886, 0x881A, 0x881A }, { 0x881A, 0x888A, 0x881A, 0x881A } }
};

/* Blocks of memory, which are freed together after a race. */
typedef union block { union block *next; double aligned; } block;
static block *blocks;
static void *room(size_t count, size_t size)
{
    block *made = calloc(1, sizeof *made + count * size);
    if (!made) exit(1);
    made->next = blocks;
    return (blocks = made) + 1;
}

/* Memory for this number of floats, until the next call. */
static float *floats(size_t count)
{
    static float *all;
    static size_t size;
    if (count > size)
        all = realloc(all, (size = count) * sizeof *all);
    if (!all) exit(1);
    return all;
}

/* The next word of a file, and what it means. */
static const char *text(FILE *in)
{
    static char read[256];
    return fscanf(in, "%255s", read) == 1 ? read : ".";
}
static int integer(FILE *in) { return atoi(text(in)); }
static word hexadecimal(FILE *in) { return (word) strtoul(text(in), NULL, 16); }
static float real(FILE *in) { bits one; one.w = hexadecimal(in); return one.f; }
static void integers(FILE *in, int *all, int count)
{
    while (count-- > 0)
        *all++ = integer(in);
}
static float *reals(FILE *in, int count)
{
    float *all = room((size_t) count, sizeof *all), *end = all + count;
    while (all < end)
        *all++ = real(in);
    return end - count;
}

/* The next of a sequence of random words. */
static word following(word x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

/* The contents of a texture: zeros; numbers near some, from a seed; or words, of which some repeat earlier ones. */
static word *contents(FILE *in, const texture *of)
{
    size_t count = (size_t) of->width * of->height * of->channels, at = 0;
    word *all = room(count, sizeof *all);
    char kind = text(in)[0];
    if (kind == 's') {
        word random = hexadecimal(in);
        const float *base = reals(in, of->channels);
        for (; at < count; at++) {
            bits one;
            random = following(random);
            one.f = (float) (base[at % of->channels] * (1.0 + ((int) (random >> 16) - 32768) / 524288.0));
            all[at] = of->bits == 16 ? one.w & 0xFFFFE000u : one.w;
        }
    }
    while (kind != 's' && kind != 'z' && (kind = text(in)[0]) != '.') {
        int first = integer(in), length = kind == 'c' ? integer(in) : first;
        if (length < 0 || (size_t) length > count - at || (kind == 'c' && (first < 1 || (size_t) first > at)))
            break;
        for (; length; length--, at++)
            all[at] = kind == 'c' ? all[at - first] : hexadecimal(in);
    }
    return all;
}

/* Makes a texture that can be drawn to, in the first format that the driver has. Returns nothing, or why not. */
static const char *make_texture(FILE *in, texture *made)
{
    int *place, narrow, channel;
    size_t at, count;
    word *words;
    float *all;
    if (fscanf(in, "%d %d %d %d", &made->width, &made->height, &made->channels, &made->bits) != 4)
        return "its file is damaged";
    words = contents(in, made);
    count = (size_t) made->width * made->height;
    all = floats(4 * count);
    for (at = 0; at < count; at++)
        for (channel = 0; channel < 4; channel++) {
            bits one;
            one.f = channel == 3 ? 1.0f : 0.0f;
            if (channel < made->channels)
                one.w = *words++;
            all[4 * at + channel] = one.f;
        }
    narrow = made->bits == 16;
    for (place = &used[narrow][made->channels / 2]; *place < 4; ++*place) {
        while (glGetError() != GL_NO_ERROR) {}
        glGenTextures(1, &made->name);
        glBindTexture(RECTANGLE, made->name);
        glTexParameteri(RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(RECTANGLE, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(RECTANGLE, 0, (GLint) formats[narrow][made->channels / 2][*place], made->width, made->height, 0,
                     GL_RGBA, GL_FLOAT, all);
        make_frames(1, &made->frame);
        bind_frame(FRAMEBUFFER, made->frame);
        attach(FRAMEBUFFER, COLOUR, RECTANGLE, made->name, 0);
        if (glGetError() == GL_NO_ERROR && check_frame(FRAMEBUFFER) == COMPLETE)
            return NULL;
        delete_frames(1, &made->frame);
        glDeleteTextures(1, &made->name);
    }
    return "no float texture of its kind can be drawn to";
}

/* Loads a program from its file. Returns nothing, or why not. */
static const char *make_program(FILE *in, program *made)
{
    static char file[300], all[1 << 18];
    GLint position = -1, is_native = 1;
    size_t length;
    FILE *of;
    sprintf(file, "programs/%s.%s", text(in), is_nv ? "nv" : "arb");
    of = fopen(file, "rb");
    if (!of || fscanf(in, "%d %d %d", &made->streams, &made->parameters, &made->coordinates) != 3)
        return "a program is missing";
    length = fread(all, 1, sizeof all, of);
    fclose(of);
    if (is_nv) {
        make_nv(1, &made->name);
        bind_nv(PROGRAM_NV, made->name);
        text_nv(PROGRAM_NV, made->name, (GLsizei) length, (const GLubyte *) all);
    } else {
        make_arb(1, &made->name);
        bind_arb(PROGRAM_ARB, made->name);
        text_arb(PROGRAM_ARB, ASCII, (GLsizei) length, all);
        ask_arb(PROGRAM_ARB, NATIVE, &is_native);
    }
    glGetIntegerv(ERROR_POSITION, &position);
    if (position != -1)
        fprintf(stderr, "%s: %s\n", file, (const char *) glGetString(ERROR_STRING));
    return position != -1 ? "a program is refused" : is_native ? NULL : "a program exceeds the card and would run in software";
}

static void make_check(FILE *in, const work *of, check *made)
{
    made->bound = real(in);
    made->hash = hexadecimal(in);
    made->step = integer(in);
    made->texture = integer(in);
    made->count = integer(in);
    integers(in, made->places = room(2 * (size_t) made->count, sizeof(int)), 2 * made->count);
    made->values = reals(in, made->count * of->texture[made->texture].channels);
}

/* Reads a work: the numbers of its parts, then each of them. */
static void load(work *of)
{
    FILE *in = fopen(of->file, "r");
    int textures = 0, programs = 0, areas = 0, vertices = 0;
    char kind;
    if (!in && (of->why = "its file is missing"))
        return;
    of->texture = room((size_t) (of->textures = integer(in)), sizeof *of->texture);
    of->program = room((size_t) (of->programs = integer(in)), sizeof *of->program);
    of->area = room((size_t) (of->areas = integer(in)), sizeof *of->area);
    of->vertex = room((size_t) (of->vertices = integer(in)), sizeof *of->vertex);
    of->step = room((size_t) integer(in), sizeof *of->step);
    while (!of->why && (kind = text(in)[0]) != '.') {
        if (kind == 't') {
            of->why = make_texture(in, &of->texture[textures++]);
        } else if (kind == 'f') {
            of->why = make_program(in, &of->program[programs++]);
        } else if (kind == 'a') {
            area *made = &of->area[areas++];
            made->count = integer(in);
            integers(in, made->rectangles = room(4 * (size_t) made->count, sizeof(int)), 4 * made->count);
        } else if (kind == 'v') {
            of->vertex[vertices++] = reals(in, 12 * integer(in));
        } else if (kind == 'k') {
            make_check(in, of, of->early.step ? &of->late : &of->early);
        } else {
            step *made = &of->step[of->steps++];
            made->kind = kind;
            integers(in, made->at, IS_PASS(kind) || kind == 'r' ? 5 : kind == 'x');
            if (IS_PASS(kind))
                integers(in, made->at + 5, of->program[made->at[0]].streams);
            made->values = reals(in, IS_PASS(kind) ? 4 * of->program[made->at[0]].parameters : kind == 'x' ? 4 : 0);
        }
    }
    fclose(in);
}

static void render_to(const texture *target)
{
    if (bound_frame != target->frame)
        bind_frame(FRAMEBUFFER, bound_frame = target->frame);
    glViewport(0, 0, target->width, target->height);
}

static void pass(const work *of, const step *now)
{
    program *runs = &of->program[now->at[0]];
    const texture *target = &of->texture[now->at[1]];
    const area *draws = &of->area[now->at[2]];
    int at, corner, number, channel;
    GLuint survivors;
    render_to(target);
    if (bound_program != runs->name)
        (is_nv ? bind_nv : bind_arb)(is_nv ? PROGRAM_NV : PROGRAM_ARB, bound_program = runs->name);
    for (at = 0; at < runs->streams; at++) {
        GLuint name = of->texture[now->at[5 + at]].name;
        if (bound_texture[at] == name)
            continue;
        active_texture(TEXTURE0 + (GLenum) at);
        glBindTexture(RECTANGLE, bound_texture[at] = name);
    }
    for (at = 0; at < runs->parameters; at++) {
        const float *value = now->values + 4 * at;
        char name[16];
        if (runs->values && !memcmp(runs->values + 4 * at, value, 4 * sizeof(float)))
            continue;
        if (is_nv)
            named_nv(runs->name, sprintf(name, "c%d", at), (const GLubyte *) name, value);
        else
            local_arb(PROGRAM_ARB, (GLuint) at, value);
    }
    runs->values = now->values;
    if (now->at[3] && barrier) barrier();
    if (now->kind == 'P') begin_query(SAMPLES, query);
    glBegin(GL_TRIANGLES);
    for (at = 0; at < draws->count; at++) {
        const int *rectangle = draws->rectangles + 4 * at;
        for (corner = 0; corner < 6; corner++) {
            /* Lower left, lower right, upper right; lower left, upper right, upper left. */
            float x = (float) (rectangle[0] + (corner == 1 || corner == 2 || corner == 4 ? rectangle[2] : 0));
            float y = (float) (rectangle[1] + (corner == 2 || corner == 4 || corner == 5 ? rectangle[3] : 0));
            const float *form = runs->coordinates ? of->vertex[now->at[4]] : NULL;
            for (number = 0; number < runs->coordinates; number++) {
                float value[4];
                for (channel = 0; channel < 4; channel++, form += 3)
                    value[channel] = (float) ((double) form[0] + (double) form[1] * x + (double) form[2] * y);
                coordinate(TEXTURE0 + (GLenum) number, value);
            }
            glVertex2f(2.0f * x / target->width - 1.0f, 2.0f * y / target->height - 1.0f);
        }
    }
    glEnd();
    if (now->kind == 'P') {
        end_query(SAMPLES);
        ask_query(query, RESULT, &survivors);
    }
}

/* Finds the largest error of the texels of a check, relative to their largest value, and tests whether all are equal. */
static int is_equal(const work *of, check *made)
{
    const texture *read = &of->texture[made->texture];
    int at, channels = read->channels;
    size_t place, count = 4 * (size_t) read->width * read->height;
    float *all = floats(count);
    double wanted, off, largest = 0.0, worst = 0.0;
    word hash = 2166136261u;
    render_to(read);
    glReadPixels(0, 0, read->width, read->height, GL_RGBA, GL_FLOAT, all);
    for (place = 0; place < count; place++) {
        bits one;
        one.f = all[place];
        if ((int) (place % 4) < channels)
            hash = (hash ^ one.w) * 16777619u;
    }
    for (at = 0; at < made->count * channels; at++) {
        const int *texel = made->places + at / channels * 2;
        wanted = made->values[at];
        off = all[4 * ((size_t) texel[1] * read->width + texel[0]) + at % channels] - wanted;
        off = off < 0.0 ? -off : off <= 1e30 ? off : 1e30;
        wanted = wanted < 0.0 ? -wanted : wanted;
        largest = wanted > largest ? wanted : largest;
        worst = off > worst ? off : worst;
    }
    made->error = largest > 0.0 ? worst / largest : worst;
    return hash == made->hash;
}

/* Runs all steps of a work, with or without its checks. */
static void run(work *of, int checks)
{
    int at;
    bound_frame = bound_program = 0;
    memset(bound_texture, 0, sizeof bound_texture);
    for (at = 0; at < of->programs; at++)
        of->program[at].values = NULL;
    for (at = 0; at < of->steps; at++) {
        const step *now = &of->step[at];
        const int *part = now->at;
        if (IS_PASS(now->kind)) {
            pass(of, now);
        } else if (now->kind == 'r') {
            render_to(&of->texture[part[0]]);
            glReadPixels(part[1], part[2], part[3], part[4], of->texture[part[0]].channels == 1 ? GL_RED : GL_RGBA, GL_FLOAT,
                         floats(4 * (size_t) part[3] * part[4]));
        } else if (now->kind == 'x') {
            render_to(&of->texture[part[0]]);
            glClearColor(now->values[0], now->values[1], now->values[2], now->values[3]);
            glClear(GL_COLOR_BUFFER_BIT);
        } else {
            glFinish();
        }
        if (checks && at + 1 == of->early.step)
            is_equal(of, &of->early);
        if (checks && at + 1 == of->late.step)
            of->is_equal = is_equal(of, &of->late);
    }
}

/* Runs the works of a race in rounds, each in a random order, and returns the number of rounds. */
static int race(work *works, int count, int rounds, word random)
{
    int round, at, order[WORKS], is_soft = strstr((const char *) glGetString(GL_RENDERER), "pipe") != NULL;
    double begin;
    for (at = 0; at < count; at++) {
        load(&works[at]);
        if (works[at].why) return 0;
        run(&works[at], 1);
        order[at] = at;
    }
    for (begin = window_seconds(); !is_soft && window_seconds() - begin < 0.1; glFinish())
        for (at = 0; at < count; at++)
            run(&works[at], 0);
    begin = window_seconds();
    for (round = 0; round < rounds && (round < 3 || window_seconds() - begin < 10.0); round++) {
        for (at = count - 1; at > 0; at--) {
            int last = order[at], other = (int) ((random = following(random)) % (word) (at + 1));
            order[at] = order[other];
            order[other] = last;
        }
        for (at = 0; at < count; at++) {
            double start;
            glFinish();
            start = window_seconds();
            run(&works[order[at]], 0);
            glFinish();
            works[order[at]].milliseconds[round] = 1e3 * (window_seconds() - start) / works[order[at]].divisor;
        }
    }
    return round;
}

/* Races the works that are read, writes a line for each, and frees what they have. */
static void finish(FILE *out, work *works, int *count, const char *name, int rounds, int process)
{
    int at, round, done = *count ? race(works, *count, rounds, 2463534242u + 7919u * (word) process) : 0;
    for (at = 0; at < *count; at++) {
        work *of = &works[at];
        const char *why = of->why ? of->why : "";
        printf("process %d, %s, %s: %s\n", process, name, of->name, of->why ? why : "done");
        fprintf(out, "%d,\"%s\",\"%s\",\"%s\",%.3e,%.3e,%.3e,%s", process, name, of->name, why, of->early.error,
                (double) of->early.bound, of->late.error, of->is_equal ? "equal" : "differ");
        for (round = 0; round < done; round++)
            fprintf(out, ",%.6g", of->milliseconds[round]);
        fprintf(out, "\n");
        for (; of->textures > 0; of->textures--) {
            delete_frames(1, &of->texture[of->textures - 1].frame);
            glDeleteTextures(1, &of->texture[of->textures - 1].name);
        }
    }
    fflush(out);
    for (*count = 0; blocks;) {
        block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

int main(int words, char **word_at)
{
    static char line[512], name[512];
    static work works[WORKS];
    int count = 0, process = words > 1 ? atoi(word_at[1]) : 1, rounds = words > 3 ? atoi(word_at[3]) % ROUNDS : 6;
    const char *has, *renderer;
    FILE *in = fopen("works.txt", "r"), *out;
    if (!in || !fgets(line, sizeof line, in))
        return fprintf(stderr, "works.txt is missing: run the kit in its folder\n");
    if (window_open()) return 1;
#define E(type, name, text, arguments) name = (type (APIENTRY *) arguments) window_entry(text);
    ENTRIES
#undef E
    has = (const char *) glGetString(GL_EXTENSIONS);
    renderer = (const char *) glGetString(GL_RENDERER);
    is_nv = strstr(has, "GL_NV_fragment_program ") && make_nv && words < 5;
    if (!strstr(has, "framebuffer_object") || !strstr(has, "texture_rectangle") || !strstr(has, "_fragment_program"))
        return fprintf(stderr, "%s lacks fragment programs, framebuffer objects or rectangle textures\n", renderer);
    if (!strstr(has, "texture_barrier"))
        barrier = NULL;
    if (strstr(has, "color_buffer_float") && clamp) {
        clamp(CLAMP_FRAGMENT, GL_FALSE);
        clamp(CLAMP_READ, GL_FALSE);
    }
    if (make_queries) make_queries(1, &query);
    glDisable(GL_DITHER);
    glEnable(is_nv ? PROGRAM_NV : PROGRAM_ARB);
    out = fopen("kit.csv", process == 1 ? "w" : "a");
    if (!out)
        return fprintf(stderr, "kit.csv cannot be written\n");
    line[strcspn(line, "\r\n")] = 0;
    if (process == 1)
        fprintf(out, "%s\ncard,\"%s\"\ndriver,\"%s, %s\"\nclock,\"%s\"\nprocess,race,work,refused,error,bound,last error,bits,"
                "milliseconds of each round\n", line, renderer, (const char *) glGetString(GL_VERSION),
                is_nv ? "NV_fragment_program" : "ARB_fragment_program", words > 2 ? word_at[2] : "unknown");
    while (fgets(line, sizeof line, in)) {
        char *blank = strchr(line, ' ');
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, "race ", 5) == 0) {
            finish(out, works, &count, name, rounds, process);
            strcpy(name, line + 5);
        } else if (count < WORKS && blank) {
            work *next = &works[count++];
            memset(next, 0, sizeof *next);
            *blank = 0;
            sprintf(next->file, "%.200s", line);
            next->divisor = strtod(blank + 1, &blank);
            sprintf(next->name, "%.200s", blank + (*blank != 0));
        }
    }
    finish(out, works, &count, name, rounds, process);
    fclose(in);
    return fclose(out) != 0;
}
