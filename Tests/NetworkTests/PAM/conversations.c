/*
 * Plays applications, good and bad, that authenticate, open and close sessions by the PAM module:
 * conversations SEED COUNT FOLDER BEHAVIOUR...
 *
 * COUNT conversations are hostile, by the program or the application; every third is honest on purpose, and comes on top.
 * FOLDER has the PAM configuration of the services `hostile` and `patient`; each BEHAVIOUR is a name of a user, by which
 * hostile-program.py knows what to do. Ends with status 0 if nothing succeeded that should not, everything that should
 * succeed did, nothing took longer than its limit, and each conversation left the process as it was.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <security/pam_appl.h>

/* The time limits of the module for `hostile` and for sessions, and what the end of the program may take on a busy machine. */
enum { MODULE_SECONDS = 1, SESSION_SECONDS = 5, SLACK_SECONDS = 20 };

enum event { AUTHENTICATE, OPEN, CLOSE, EVENTS };

enum person { ANSWERS, EMPTY, LARGE, TOO_LARGE, HUGE, CONTROLS, NO_TEXT, NO_ARRAY, ERROR, NOBODY, SLOW, PERSONS };
enum children { USUAL, IGNORED, REAPED, CHILDREN };

struct conversation {
    enum event event;
    const char *behaviour;
    enum person person;
    enum children children;
    bool closed[3];
    bool is_signalled;
    bool is_silent;
    int locale, texts;
};

static uint64_t state;

static unsigned drawn(unsigned below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11) % below;
}

static char *filled(size_t length, char byte) {
    char *text = malloc(length + 1);
    memset(text, byte, length);
    text[length] = '\0';
    return text;
}

static char *answer(enum person person) {
    switch (person) {
    case ANSWERS: return strdup("yes");
    case EMPTY: return strdup("");
    case LARGE: return filled(1024, '\\');
    case TOO_LARGE: return filled(1025, 'x');
    case HUGE: return filled(3000000, 'x');
    case CONTROLS: return strdup("yes\nsuccess\n\033[2J");
    case SLOW: {
        struct timespec left = { .tv_nsec = 100000000 };
        while (nanosleep(&left, &left) != 0) {}
        return strdup("\xC3\x28 late");
    }
    default: return NULL;
    }
}

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *data) {
    const struct conversation *conversation = data;
    if (conversation->person == ERROR) return PAM_CONV_ERR;
    if (conversation->person == NO_ARRAY) {
        *responses = NULL;
        return PAM_SUCCESS;
    }
    *responses = calloc((size_t)count, sizeof **responses);
    for (int index = 0; index < count; index++) {
        /* Each byte is read. */
        volatile size_t length = strlen(messages[index]->msg);
        (void)length;
        int style = messages[index]->msg_style;
        bool is_asked = style == PAM_PROMPT_ECHO_ON || style == PAM_PROMPT_ECHO_OFF;
        (*responses)[index].resp = is_asked ? answer(conversation->person) : NULL;
    }
    return PAM_SUCCESS;
}

/* Whether the program's behaviour and the application's together are a sign-in. */
static bool is_honest(const struct conversation *conversation) {
    const char *behaviour = conversation->behaviour;
    if (strncmp(behaviour, "honest", 6) != 0) return false;
    if (strcmp(behaviour, "honest") == 0) return true;
    enum person person = conversation->person;
    if (person == NOBODY || person == ERROR) {
        /* Only errors are not shown where the application wants silence, and to no session. */
        return strcmp(behaviour, "honest_error") == 0
            && (conversation->is_silent || conversation->event != AUTHENTICATE);
    }
    if (strcmp(behaviour, "honest_error") == 0) return true;
    if (strcmp(behaviour, "honest_info") == 0) return true;
    return person != NO_TEXT && person != NO_ARRAY;
}

/* Whether a program with one result ends by itself, so that it has the time that a busy machine takes. */
static bool is_patient(const char *behaviour) {
    return strncmp(behaviour, "honest", 6) == 0 || strcmp(behaviour, "denied") == 0
        || strcmp(behaviour, "unavailable") == 0 || strcmp(behaviour, "unknown") == 0;
}

static int descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void pass(int number) { (void)number; }

static void reap(int number) {
    (void)number;
    int saved = errno;
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    errno = saved;
}

static void set_children(enum children children) {
    struct sigaction action = { .sa_handler = SIG_DFL };
    if (children == IGNORED) action.sa_handler = SIG_IGN;
    if (children == REAPED) action.sa_handler = reap;
    sigaction(SIGCHLD, &action, NULL);
}

static void set_signals(bool are_sent) {
    /* The handler stays: a signal may still be on its way when the timer ends. */
    struct sigaction action = { .sa_handler = pass };
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = { { 0, are_sent ? 1500 : 0 }, { 0, are_sent ? 1500 : 0 } };
    setitimer(ITIMER_REAL, &timer, NULL);
}

static const char *const locales[] = {
    NULL, "LANG=de_DE.UTF-8", "LANG=", "LANG=C", "LANG=../../../etc/shadow", "LANG=\033[31m", "LANG=tr_TR.ISO-8859-9",
};
static const char *const texts[] = { NULL, "10.1.2.3", "\n\nsuccess\n", "ho\\st\\n", "\xFF\xFE", "pts/0" };

static int perform(pam_handle_t *handle, const struct conversation *conversation) {
    int flags = conversation->is_silent ? (int)PAM_SILENT : 0;
    switch (conversation->event) {
    case OPEN: return pam_open_session(handle, flags);
    case CLOSE: return pam_close_session(handle, flags);
    default: return pam_authenticate(handle, flags);
    }
}

/* The result that a verdict has, where the module's line is the only one of the stack; -1 for any. */
static int usual_result(const struct conversation *conversation) {
    bool is_session = conversation->event != AUTHENTICATE;
    const char *behaviour = conversation->behaviour;
    /* A stack of which every line is ignored permits nothing. */
    if (strcmp(behaviour, "unknown") == 0) return is_session ? PAM_PERM_DENIED : PAM_USER_UNKNOWN;
    if (strcmp(behaviour, "unavailable") == 0) return is_session ? PAM_SESSION_ERR : PAM_AUTHINFO_UNAVAIL;
    if (strcmp(behaviour, "denied") == 0) return is_session ? PAM_SESSION_ERR : PAM_AUTH_ERR;
    return -1;
}

static int converse_once(const struct conversation *conversation, const char *folder) {
    const struct pam_conv callback = {
        .conv = conversation->person == NOBODY ? NULL : converse, .appdata_ptr = (void *)conversation };
    pam_handle_t *handle = NULL;
    const char *service = is_patient(conversation->behaviour) ? "patient" : "hostile";
    if (pam_start_confdir(service, conversation->behaviour, &callback, folder, &handle) != PAM_SUCCESS) abort();
    const char *locale = locales[conversation->locale];
    if (locale != NULL) pam_putenv(handle, locale);
    const char *text = texts[conversation->texts];
    if (text != NULL) {
        pam_set_item(handle, PAM_RHOST, text);
        pam_set_item(handle, PAM_TTY, text);
        pam_set_item(handle, PAM_RUSER, text);
    }
    int result = perform(handle, conversation);
    pam_end(handle, result);
    return result;
}

/* Plays one conversation; returns whether it went as it should. */
static bool play(const struct conversation *conversation, const char *folder, unsigned number) {
    struct sigaction before[NSIG] = {0}, after;
    sigset_t mask, mask_after;
    int saved[3];
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        saved[descriptor] = fcntl(descriptor, F_DUPFD_CLOEXEC, 100);
        if (conversation->closed[descriptor]) close(descriptor);
    }
    set_children(conversation->children);
    set_signals(conversation->is_signalled);
    for (int signal = 1; signal < NSIG; signal++) sigaction(signal, NULL, &before[signal]);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    int open_before = descriptors();

    double began = seconds();
    int result = converse_once(conversation, folder);
    double took = seconds() - began;

    const char *fault = NULL;
    if (descriptors() != open_before) fault = "descriptors are left, or lost";
    for (int signal = 1; signal < NSIG; signal++) {
        /* Some belong to the library, and cannot be asked for. */
        if (sigaction(signal, NULL, &after) == 0 && after.sa_handler != before[signal].sa_handler)
            fault = "a handler was changed";
    }
    sigprocmask(SIG_SETMASK, NULL, &mask_after);
    if (memcmp(&mask, &mask_after, 8) != 0) fault = "the mask of signals was changed";
    set_signals(false);
    set_children(USUAL);
    if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD) fault = "a child is left";
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (conversation->closed[descriptor]) dup2(saved[descriptor], descriptor);
        close(saved[descriptor]);
    }
    bool has_succeeded = result == PAM_SUCCESS;
    if (has_succeeded && !is_honest(conversation)) fault = "it succeeded, and should not";
    bool is_session = conversation->event != AUTHENTICATE;
    /* The limit of sessions is the module's own, also on a machine that is too busy for it. */
    bool is_late = is_session && took >= SESSION_SECONDS;
    if (!has_succeeded && is_honest(conversation) && !is_late) fault = "it did not succeed, and should";
    int limit = (is_session ? SESSION_SECONDS : MODULE_SECONDS) + SLACK_SECONDS;
    if ((is_session || !is_patient(conversation->behaviour)) && took > limit) fault = "it took too long";
    int usual = usual_result(conversation);
    if (usual != -1 && result != usual && !is_late) fault = "it has another result";
    if (fault == NULL) return true;
    fprintf(stderr, "%u: event %d, %s, person %d, children %d, closed %d%d%d, signals %d, silent %d, locale %d, texts %d: %s "
        "(%d, %s, %.2f s)\n", number, conversation->event, conversation->behaviour, conversation->person, conversation->children,
        conversation->closed[0], conversation->closed[1], conversation->closed[2], conversation->is_signalled,
        conversation->is_silent, conversation->locale, conversation->texts, fault, result, pam_strerror(NULL, result),
        took);
    return false;
}

static const char *behaviour(bool is_honest, int count, char **words) {
    const char *word = words[drawn((unsigned)count)];
    for (int tries = 0; is_honest && tries < 1000 && strncmp(word, "honest", 6) != 0; tries++)
        word = words[drawn((unsigned)count)];
    return word;
}

int main(int count, char **words) {
    if (count < 5) return 64;
    signal(SIGPIPE, SIG_DFL);
    state = strtoull(words[1], NULL, 10) * 0x9E3779B97F4A7C15ULL + 1;
    unsigned wished = (unsigned)strtoul(words[2], NULL, 10), hostile = 0, failures = 0, number = 0;
    for (; hostile < wished; number++) {
        bool is_honest_turn = number % 3 == 2;
        struct conversation conversation = {
            .event = drawn(2) == 0 ? AUTHENTICATE : (enum event)drawn(EVENTS),
            .behaviour = behaviour(is_honest_turn, count - 4, words + 4),
            .person = is_honest_turn || drawn(2) == 0 ? ANSWERS : (enum person)drawn(PERSONS),
            .children = (enum children)drawn(CHILDREN),
            .is_signalled = drawn(3) == 0,
            .is_silent = drawn(8) == 0,
            .locale = (int)drawn(sizeof locales / sizeof *locales),
            .texts = (int)drawn(sizeof texts / sizeof *texts),
        };
        for (int descriptor = 0; descriptor < 3; descriptor++) conversation.closed[descriptor] = drawn(5) == 0;
        if (!is_honest(&conversation)) hostile++;
        if (!play(&conversation, words[3], number)) failures++;
    }
    printf("%u conversations, %u of them hostile: %u faults\n", number, hostile, failures);
    return failures == 0 ? 0 : 1;
}
