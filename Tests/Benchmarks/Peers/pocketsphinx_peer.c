/* Decodes raw audio with pocketsphinx's C API alone: the least that recognition can cost.
 *
 * Usage: pocketsphinx_peer DICTIONARY GRAMMAR RAW ROUNDS
 * Prints the seconds from the start to the first result, and the least seconds of a result after that. */
#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    static int16 samples[16000 * 60];
    static double times[1000];
    double start = now(), cold = 0;
    int rounds, round;
    size_t count, at;
    FILE *file;
    const char *text = NULL;
    cmd_ln_t *config;
    ps_decoder_t *decoder;

    if (argc != 5 || (rounds = atoi(argv[4])) < 1 || rounds > 1000) return 2;
    err_set_logfp(NULL);
    if (!(file = fopen(argv[3], "rb"))) return 1;
    count = fread(samples, 2, sizeof samples / 2, file);
    fclose(file);
    config = cmd_ln_init(NULL, ps_args(), TRUE, "-hmm", "/usr/share/pocketsphinx/model/en-us/en-us", "-dict", argv[1],
                         "-fsg", argv[2], "-remove_silence", "no", "-remove_noise", "no", NULL);
    if (!config || !(decoder = ps_init(config))) return 1;
    for (round = 0; round <= rounds; round++) {
        double begin = round ? now() : start;
        if (ps_start_stream(decoder) || ps_start_utt(decoder)) return 1;
        for (at = 0; at < count; at += 1600)
            if (ps_process_raw(decoder, samples + at, count - at < 1600 ? count - at : 1600, 0, 0) < 0) return 1;
        if (ps_end_utt(decoder) || !(text = ps_get_hyp(decoder, NULL))) return 1;
        if (round) times[round - 1] = now() - begin;
        else cold = now() - begin;
    }
    qsort(times, rounds, sizeof *times, compare);
    printf("%.6f %.6f %s\n", cold, times[0], text);
    ps_free(decoder);
    cmd_ln_free_r(config);
    return 0;
}
