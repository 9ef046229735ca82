/* A card of 2003 that is not there: a library to be preloaded (LD_PRELOAD), which answers for the kernel.
 *
 * Mesa's drivers for R300 and NV30 compile a fragment program to the words of their card and submit them to a DRM device. This
 * library pretends to be that device: CARD is R300 or NV30. It answers what the drivers ask at their start, gives them buffers
 * of main memory, and reads what they submit: for each fragment program a line on standard error,
 *
 *   R300 arithmetic=26 fetches=14 nodes=2 registers=15
 *   NV30 instructions=50 fetches=14 moves=7 registers=7 constants=14 kinds=7 MUL,7 ADD,9 MAD,6 FRC,14 TEX,
 *
 * Nothing is drawn. Of what NV30 executes, its copies between buffers take place, because its programs come through them, and
 * its fences, because the driver waits for them.
 *
 * The numbers of registers and methods are those of AMD's "R3xx 3D registers" and of envytools' "NV03_MEMORY_TO_MEMORY_FORMAT"
 * and "rankine"; requests and their structures are the kernel's (libdrm-dev). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <drm.h>
#include <nouveau_drm.h>
#include <radeon_drm.h>
#include <xf86drm.h>

/* Of a Radeon 9700 Pro and a GeForce FX 5800: PCI vendor and device. */
enum { ATI = 0x1002, R300_ND = 0x4e44, NVIDIA = 0x10de, NV30_GL = 0x0302 };

static int is_r300(void) {
    const char *card = getenv("CARD");
    return card && strcmp(card, "R300") == 0;
}

/* Buffers: parts of one file in memory, never used again. A handle is the number of a buffer. The place of a buffer in the file
 * is its address on the card, and, from FIRST on, its offset for mmap. */

#define FIRST (1ull << 40)
#define SIZE (1ull << 32)
#define MEMORY (256ull << 20)
enum { BUFFERS = 1 << 16, PAGE = 4096 };

static struct { uint64_t start, size; } buffers[BUFFERS];
static uint32_t last;
static uint64_t end = PAGE;
static int file = -1;
static uint8_t *memory;

static void *mapped(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return (void *)syscall(SYS_mmap, at, size, (long)protection, (long)flags, (long)fd, offset);
}

static uint32_t buffer(uint64_t size) {
    if (file < 0) {
        file = memfd_create("card", MFD_CLOEXEC);
        if (file < 0 || ftruncate(file, SIZE)) abort();
        memory = mapped(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        if (memory == MAP_FAILED) abort();
    }
    size = (size + PAGE - 1) / PAGE * PAGE;
    if (last + 1 == BUFFERS || end + size > SIZE) {
        fprintf(stderr, "device: out of memory\n");
        abort();
    }
    buffers[++last].start = end;
    buffers[last].size = size;
    end += size;
    return last;
}

/* The word at an address of the card. */
static uint32_t *word(uint64_t address) {
    static uint32_t none[4];
    return address + sizeof none <= end ? (uint32_t *)(memory + address) : none;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    int is_ours = fd >= 0 && (uint64_t)offset >= FIRST;
    return is_ours ? mapped(at, size, protection, flags, file, offset - FIRST)
                   : mapped(at, size, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset) {
    return mmap(at, size, protection, flags, fd, offset);
}

/* R300: packets of type 0 set registers, those of type 3 draw. A program is its sizes and two tables. */

enum { US_CONFIG = 0x4600, US_PIXSIZE = 0x4604, US_TEX_INST = 0x4620, US_ALU_RGB_INST = 0x48c0 };

static void r300_submitted(const uint32_t *words, uint32_t length) {
    uint32_t arithmetic = 0, fetches = 0, nodes = 0, registers = 0;
    for (uint32_t at = 0; at < length;) {
        uint32_t head = words[at], type = head >> 30, count = (head >> 16 & 0x3fff) + 1;
        if (type == 2) {
            at++;
            continue;
        }
        for (uint32_t k = 0; type == 0 && k < count && at + 1 + k < length; k++) {
            uint32_t address = ((head & 0x1fff) << 2) + 4 * k, value = words[at + 1 + k];
            if (address == US_CONFIG) nodes = (value & 7) + 1, fetches = 0;
            /* KIL is in the table of fetches, too. */
            if (address >= US_TEX_INST && address < US_TEX_INST + 4 * 32) fetches += (value >> 15 & 7) != 2;
            if (address == US_PIXSIZE) registers = (value & 31) + 1;
            if (address == US_ALU_RGB_INST) arithmetic = count;
        }
        at += count + 1;
    }
    if (arithmetic)
        fprintf(stderr, "R300 arithmetic=%u fetches=%u nodes=%u registers=%u\n", arithmetic, fetches, nodes, registers);
}

static int radeon(unsigned number, void *data) {
    switch (number) {
    case DRM_RADEON_INFO: {
        struct drm_radeon_info *info = data;
        uint32_t value = 0;
        if (info->request == RADEON_INFO_DEVICE_ID) value = R300_ND;
        if (info->request == RADEON_INFO_NUM_GB_PIPES) value = 2;
        if (info->request == RADEON_INFO_NUM_Z_PIPES) value = 1;
        *(uint32_t *)(uintptr_t)info->value = value;
        return 0;
    }
    case DRM_RADEON_GEM_INFO:
        *(struct drm_radeon_gem_info *)data = (struct drm_radeon_gem_info){MEMORY, MEMORY, MEMORY};
        return 0;
    case DRM_RADEON_GEM_CREATE: {
        struct drm_radeon_gem_create *create = data;
        create->handle = buffer(create->size);
        return 0;
    }
    case DRM_RADEON_GEM_MMAP: {
        struct drm_radeon_gem_mmap *map = data;
        map->addr_ptr = FIRST + buffers[map->handle].start + map->offset;
        return 0;
    }
    case DRM_RADEON_CS: {
        struct drm_radeon_cs *cs = data;
        uint64_t *chunks = (uint64_t *)(uintptr_t)cs->chunks;
        for (uint32_t k = 0; k < cs->num_chunks; k++) {
            struct drm_radeon_cs_chunk *chunk = (void *)(uintptr_t)chunks[k];
            if (chunk->chunk_id == RADEON_CHUNK_ID_IB)
                r300_submitted((uint32_t *)(uintptr_t)chunk->chunk_data, chunk->length_dw);
        }
        return 0;
    }
    case DRM_RADEON_GEM_USERPTR:
        return -EINVAL;
    default:
        return 0;
    }
}

/* NV30: methods of objects on eight channels. */

enum {
    M2MF = 0x0039, M2MF_OFFSET_IN = 0x30c, M2MF_START = 0x328,
    RANKINE = 0x0397, FENCE_OBJECT = 0x1a4, FENCE_OFFSET = 0x1d6c, FENCE_VALUE = 0x1d70,
    FP_ACTIVE_PROGRAM = 0x08e4, FP_CONTROL = 0x1d60,
};

static uint32_t notes; /* Handle of the buffer with notifiers. */
static uint32_t noted; /* End of those. */
static struct { uint32_t handle, class, offset; } objects[64];
static unsigned known;

static unsigned object(uint32_t handle) {
    for (unsigned k = known; k-- > 0;)
        if (objects[k].handle == handle) return k;
    return 63;
}

static void remember(uint32_t handle, uint32_t class, uint32_t offset) {
    unsigned at = known < 63 ? known++ : 63;
    objects[at].handle = handle, objects[at].class = class, objects[at].offset = offset;
}

static const char *KINDS[64] = {
    [0x00] = "NOP", [0x01] = "MOV", [0x02] = "MUL", [0x03] = "ADD", [0x04] = "MAD", [0x05] = "DP3", [0x06] = "DP4",
    [0x07] = "DST", [0x08] = "MIN", [0x09] = "MAX", [0x0a] = "SLT", [0x0b] = "SGE", [0x0c] = "SLE", [0x0d] = "SGT",
    [0x0e] = "SNE", [0x0f] = "SEQ", [0x10] = "FRC", [0x11] = "FLR", [0x12] = "KIL", [0x15] = "DDX", [0x16] = "DDY",
    [0x17] = "TEX", [0x18] = "TXP", [0x19] = "TXD", [0x1a] = "RCP", [0x1b] = "RSQ", [0x1c] = "EX2", [0x1d] = "LG2",
    [0x1e] = "LIT", [0x1f] = "LRP", [0x20] = "STR", [0x21] = "SFL", [0x22] = "COS", [0x23] = "SIN", [0x26] = "POW",
    [0x31] = "TXB", [0x36] = "RFL",
};

/* An instruction is four words: operation, and three operands. If one of them is a constant, its four numbers follow. */
static void nv30_program(uint64_t address) {
    unsigned kinds[64] = {0}, instructions = 0, registers = 0, constants = 0, fetches;
    for (int is_last = 0; !is_last;) {
        const uint32_t *words = word(address);
        int has_constant = 0;
        for (int k = 1; k < 4; k++) has_constant |= (words[k] & 3) == 2;
        kinds[words[0] >> 24 & 63]++;
        /* The target: a register of 32 bits, or of 16, of which there are two in its place. */
        unsigned target = (words[0] >> 1 & 31) / (words[0] >> 7 & 1 ? 2 : 1) + 1;
        if (target > registers) registers = target;
        instructions++;
        constants += has_constant;
        is_last = words[0] & 1 || instructions > 1 << 16;
        address += has_constant ? 32 : 16;
    }
    fetches = kinds[0x17] + kinds[0x18] + kinds[0x19] + kinds[0x31];
    fprintf(stderr, "NV30 instructions=%u fetches=%u moves=%u registers=%u constants=%u kinds=", instructions, fetches, kinds[1],
            registers, constants);
    for (int k = 2; k < 64; k++)
        if (kinds[k]) fprintf(stderr, "%u %s,", kinds[k], KINDS[k] ? KINDS[k] : "?");
    fprintf(stderr, "\n");
}

static void nv30_method(unsigned channel, uint32_t method, uint32_t value) {
    static uint32_t bound[8], copy[8], fence, fence_offset, program;
    if (method == 0) bound[channel] = objects[object(value)].class;
    if (bound[channel] == M2MF && method >= M2MF_OFFSET_IN && method <= M2MF_START) {
        copy[(method - M2MF_OFFSET_IN) / 4] = value;
        if (method != M2MF_START) return;
        uint32_t from = copy[0], to = copy[1], width = copy[4];
        for (uint32_t line = 0; line < copy[5]; line++, from += copy[2], to += copy[3])
            if ((uint64_t)from + width <= end && (uint64_t)to + width <= end) memmove(memory + to, memory + from, width);
    }
    /* Fences come on the channel of the 3D object, which may not be bound when the first is emitted. */
    if (method == FENCE_OFFSET) fence_offset = value;
    if (method == FENCE_VALUE && fence) *word(buffers[notes].start + fence + fence_offset) = value;
    if (bound[channel] != RANKINE) return;
    if (method == FENCE_OBJECT) fence = objects[object(value)].offset;
    if (method == FP_ACTIVE_PROGRAM) program = value & ~3u;
    if (method == FP_CONTROL) nv30_program(program);
}

static void nv30_submitted(const uint32_t *words, uint64_t length) {
    for (uint64_t at = 0; at < length;) {
        uint32_t head = words[at++], count = head >> 18 & 0x7ff, method = head & 0x1ffc;
        for (uint32_t k = 0; k < count && at < length; k++, method += head & 0x40000000 ? 0 : 4)
            nv30_method(head >> 13 & 7, method, words[at++]);
    }
}

static void described(struct drm_nouveau_gem_info *info) {
    info->size = buffers[info->handle].size;
    info->offset = buffers[info->handle].start;
    info->map_handle = FIRST + info->offset;
    if (!(info->domain & (NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART))) info->domain |= NOUVEAU_GEM_DOMAIN_GART;
    if (info->domain & NOUVEAU_GEM_DOMAIN_GART) info->domain &= ~NOUVEAU_GEM_DOMAIN_VRAM;
}

static int nouveau(unsigned number, void *data) {
    switch (number) {
    case DRM_NOUVEAU_GETPARAM: {
        struct drm_nouveau_getparam *get = data;
        get->value = 0;
        if (get->param == NOUVEAU_GETPARAM_CHIPSET_ID) get->value = 0x30;
        if (get->param == NOUVEAU_GETPARAM_PCI_VENDOR) get->value = NVIDIA;
        if (get->param == NOUVEAU_GETPARAM_PCI_DEVICE) get->value = NV30_GL;
        if (get->param == NOUVEAU_GETPARAM_FB_SIZE || get->param == NOUVEAU_GETPARAM_AGP_SIZE) get->value = MEMORY;
        if (get->param == NOUVEAU_GETPARAM_HAS_BO_USAGE) get->value = 1;
        return 0;
    }
    case DRM_NOUVEAU_CHANNEL_ALLOC: {
        struct drm_nouveau_channel_alloc *channel = data;
        notes = buffer(PAGE);
        channel->notifier_handle = notes;
        channel->pushbuf_domains = NOUVEAU_GEM_DOMAIN_GART;
        return 0;
    }
    case DRM_NOUVEAU_GROBJ_ALLOC: {
        struct drm_nouveau_grobj_alloc *alloc = data;
        remember(alloc->handle, alloc->class, 0);
        return 0;
    }
    case DRM_NOUVEAU_NOTIFIEROBJ_ALLOC: {
        struct drm_nouveau_notifierobj_alloc *alloc = data;
        /* From 32 on, so that no offset is 0. */
        alloc->offset = noted + 32;
        noted += (alloc->size + 31) / 32 * 32;
        remember(alloc->handle, 0, alloc->offset);
        return 0;
    }
    case DRM_NOUVEAU_GEM_NEW: {
        struct drm_nouveau_gem_new *create = data;
        create->info.handle = buffer(create->info.size);
        described(&create->info);
        return 0;
    }
    case DRM_NOUVEAU_GEM_INFO:
        described(data);
        return 0;
    case DRM_NOUVEAU_GEM_PUSHBUF: {
        struct drm_nouveau_gem_pushbuf *submit = data;
        struct drm_nouveau_gem_pushbuf_bo *list = (void *)(uintptr_t)submit->buffers;
        struct drm_nouveau_gem_pushbuf_push *pushes = (void *)(uintptr_t)submit->push;
        for (uint32_t k = 0; k < submit->nr_push; k++) {
            uint64_t start = buffers[list[pushes[k].bo_index].handle].start + pushes[k].offset;
            nv30_submitted(word(start), (pushes[k].length & 0x7fffff) / 4);
        }
        submit->suffix0 = submit->suffix1 = 0;
        submit->vram_available = submit->gart_available = MEMORY;
        return 0;
    }
    case DRM_NOUVEAU_NVIF:
        return -EINVAL;
    default:
        return 0;
    }
}

/* What all devices are asked. */

/* Asked twice: for lengths, and with memory for them. None may be 0. */
static void put(char *to, __kernel_size_t *length, const char *text) {
    if (to) memcpy(to, text, strlen(text));
    *length = strlen(text);
}

static int version(struct drm_version *version) {
    /* 1.3.0 is the last one of nouveau before its objects are the kernel's. */
    version->version_major = is_r300() ? 2 : 1;
    version->version_minor = is_r300() ? 50 : 3;
    version->version_patchlevel = 0;
    put(version->name, &version->name_len, is_r300() ? "radeon" : "nouveau");
    put(version->date, &version->date_len, "2003");
    put(version->desc, &version->desc_len, "none");
    return 0;
}

int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *data = va_arg(arguments, void *);
    va_end(arguments);
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE) return syscall(SYS_ioctl, (long)fd, request, data);
    unsigned number = _IOC_NR(request);
    int result = 0;
    if (number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END) {
        result = (is_r300() ? radeon : nouveau)(number - DRM_COMMAND_BASE, data);
    } else if (request == DRM_IOCTL_VERSION) {
        result = version(data);
    } else if (request != DRM_IOCTL_GEM_CLOSE) {
        result = -EINVAL;
    }
    errno = -result;
    return result ? -1 : 0;
}

/* The device as libdrm describes it. */
int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *device) {
    struct described {
        drmDevice device;
        drmPciBusInfo bus;
        drmPciDeviceInfo info;
        char *nodes[DRM_NODE_MAX];
    } *one = calloc(1, sizeof *one);
    static char name[] = "/dev/dri/renderD128";
    (void)fd, (void)flags;
    if (!one) return -ENOMEM;
    for (int node = 0; node < DRM_NODE_MAX; node++) one->nodes[node] = name;
    one->info.vendor_id = is_r300() ? ATI : NVIDIA;
    one->info.device_id = is_r300() ? R300_ND : NV30_GL;
    one->device = (drmDevice){.nodes = one->nodes, .available_nodes = 1 << DRM_NODE_RENDER, .bustype = DRM_BUS_PCI};
    one->device.businfo.pci = &one->bus;
    one->device.deviceinfo.pci = &one->info;
    *device = &one->device;
    return 0;
}

int drmGetDevice(int fd, drmDevicePtr *device) {
    return drmGetDevice2(fd, 0, device);
}
