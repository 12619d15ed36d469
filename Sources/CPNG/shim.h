#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* libpng tells of errors by longjmp, which Swift cannot take: these functions return instead. */

typedef struct {
    png_structp png;
    png_infop info;
    const unsigned char *bytes;
    size_t count;
    size_t place;
    /* What is known of the pixels after foxfire_png_open: 1, 3 or 4 channels of 8 or 16 bits. */
    unsigned width;
    unsigned height;
    int channels;
    int depth;
    /* What failed, in the library's words. */
    char error[128];
} foxfire_png;

static inline void foxfire_png_fail(png_structp png, png_const_charp text) {
    foxfire_png *self = (foxfire_png *)png_get_error_ptr(png);
    strncpy(self->error, text, sizeof self->error - 1);
    png_longjmp(png, 1);
}

static inline void foxfire_png_ignore(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static inline void foxfire_png_take(png_structp png, png_bytep target, size_t size) {
    foxfire_png *self = (foxfire_png *)png_get_io_ptr(png);
    if (size > self->count - self->place) png_error(png, "it ends too early");
    memcpy(target, self->bytes + self->place, size);
    self->place += size;
}

/* Reads all that stands before the pixels; 0, or -1 with a text in `error`. Closed by foxfire_png_close always. */
static inline int foxfire_png_open(
    foxfire_png *self, const unsigned char *bytes, size_t count, unsigned side_limit
) {
    memset(self, 0, sizeof *self);
    self->bytes = bytes;
    self->count = count;
    self->png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, self, foxfire_png_fail, foxfire_png_ignore
    );
    if (self->png) self->info = png_create_info_struct(self->png);
    if (!self->info) {
        strcpy(self->error, "out of memory");
        return -1;
    }
    if (setjmp(png_jmpbuf(self->png))) return -1;
    png_set_user_limits(self->png, side_limit, side_limit);
    png_set_read_fn(self->png, self, foxfire_png_take);
    png_read_info(self->png, self->info);
    /* Palettes become colours, fewer than 8 bits become 8, a transparent colour becomes alpha. */
    png_set_expand(self->png);
    int type = png_get_color_type(self->png, self->info);
    int is_gray = !(type & PNG_COLOR_MASK_COLOR);
    int has_alpha = type & PNG_COLOR_MASK_ALPHA || png_get_valid(self->png, self->info, PNG_INFO_tRNS);
    int is_deep = png_get_bit_depth(self->png, self->info) == 16;
    if (is_gray && (has_alpha || is_deep)) png_set_gray_to_rgb(self->png);
    if (is_deep) png_set_swap(self->png);
    png_set_interlace_handling(self->png);
    png_read_update_info(self->png, self->info);
    self->width = png_get_image_width(self->png, self->info);
    self->height = png_get_image_height(self->png, self->info);
    self->channels = png_get_channels(self->png, self->info);
    self->depth = png_get_bit_depth(self->png, self->info);
    return 0;
}

/* Reads the pixels, rows of `stride` bytes; 0, or -1 with a text in `error`. */
static inline int foxfire_png_read(foxfire_png *self, unsigned char *pixels, size_t stride) {
    png_bytep *volatile rows = (png_bytep *)malloc(self->height * sizeof *rows);
    if (!rows) {
        strcpy(self->error, "out of memory");
        return -1;
    }
    if (setjmp(png_jmpbuf(self->png))) {
        free(rows);
        return -1;
    }
    for (unsigned row = 0; row < self->height; row++) rows[row] = pixels + row * stride;
    png_read_image(self->png, rows);
    png_read_end(self->png, NULL);
    free(rows);
    return 0;
}

static inline void foxfire_png_close(foxfire_png *self) {
    png_destroy_read_struct(&self->png, &self->info, NULL);
}
