/* Usage: pngyardstick FILE WIDTH HEIGHT TIMES
 * Encodes FILE, raw rgb24, as PNG in memory by libpng: level 1, the filter UP alone. The peer of the row "png". */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

static size_t written;

static void count(png_structp png, png_bytep data, png_size_t size) {
    (void)png;
    (void)data;
    written += size;
}

static void flush(png_structp png) { (void)png; }

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int width = atoi(argv[2]), height = atoi(argv[3]), times = atoi(argv[4]);
    size_t row = (size_t)width * 3;
    unsigned char *pixels = malloc(row * height);
    FILE *file = fopen(argv[1], "r");
    if (!pixels || !file || fread(pixels, 1, row * height, file) != row * height) return 1;
    for (int round = 0; round < times; round++) {
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
        png_infop info = png_create_info_struct(png);
        if (!info || setjmp(png_jmpbuf(png))) return 1;
        written = 0;
        png_set_write_fn(png, NULL, count, flush);
        png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, 0, 0, 0);
        png_set_compression_level(png, 1);
        png_set_filter(png, 0, PNG_FILTER_UP);
        png_write_info(png, info);
        for (int y = 0; y < height; y++) png_write_row(png, pixels + row * y);
        png_write_end(png, NULL);
        png_destroy_write_struct(&png, &info);
    }
    fprintf(stderr, "libpng: %zu bytes\n", written);
    return 0;
}
