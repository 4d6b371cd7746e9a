/* Runs kernels of a library without Python: LIBRARY SCENE-BLOCK THROWER-BLOCK TRIALS. Used for other
   processors under an emulator. Prints the known answer, then the results' bits, a line a trial. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t (*kernel)(const int64_t *block);

static double *read_numbers(const char *path, int64_t *count) {
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    *count = ftell(file) / 8;
    rewind(file);
    double *numbers = malloc(8 * *count);
    if (fread(numbers, 8, *count, file) != (size_t)*count) exit(3);
    fclose(file);
    return numbers;
}

int main(int argc, char **argv) {
    void *library = argc == 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    kernel answer = (kernel)dlsym(library, "base_elementary_known_answer");
    kernel slams = (kernel)dlsym(library, "physics_solid_kernel_throw_slams");
    printf("%" PRId64 "\n", answer(NULL));
    int64_t scene_size, thrower_size, trials = atoll(argv[4]);
    double *scene = read_numbers(argv[2], &scene_size);
    double *thrower = read_numbers(argv[3], &thrower_size);
    int64_t bodies = (int64_t)scene[0], wide = 11 + 2 * (bodies - 1), long_row = 5 + 3 * bodies;
    int64_t room = bodies * (bodies + 9) * 3000 + 50000, seed[4] = {2, 0, 0, 0}, stop[1] = {0};
    double *throws = calloc(trials * wide, 8), *results = calloc(trials * long_row, 8);
    void *memory = malloc(room);
#define AT(array) (int64_t)(intptr_t)(array)
    int64_t block[] = {
        AT(scene), scene_size, AT(thrower), thrower_size, AT(seed), 4, 0, AT(throws), trials, wide,
        AT(results), trials, long_row, AT(memory), 0, AT(memory), 0, AT(memory), 0, bodies, 9,
        AT(memory), room, AT(stop), 1,
    };
    if (slams(block) != trials) return 4;
    for (int64_t k = 0; k < trials * long_row; k++) {
        uint64_t bits;
        memcpy(&bits, results + k, 8);
        printf("%016" PRIx64 "%c", bits, (k + 1) % long_row ? ' ' : '\n');
    }
    return 0;
}
