/*
 * A PAM module that lets a person approve on their phone: it starts `countersign pam`, shows what that says, and returns
 * its verdict. Everything else (the server, tokens, JSON) stays in that program, so that nothing of it runs inside sshd
 * or sudo. Documentation/HostSignIn.md describes the set-up, and the lines that the two speak.
 *
 * Three processes take part:
 *
 *     application with this module ──lines──▶ countersign pam
 *              └──life line──▶ keeper ──starts, ends, reaps──┘
 *
 * The keeper is a fork that starts the program, waits for it, and reports its exit status. The module ends it by closing
 * the life line, which the death of the application does, too. So the program never outlives the question, its status is
 * known also where the application ignores SIGCHLD or reaps all children, and no signal handler of the application is
 * touched.
 *
 * Success needs all of: the line `success` and nothing after it, exit status 0, and no failure of the conversation.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <security/pam_modules.h>
#include <security/pam_ext.h>

#define DEFAULT_COMMAND "/usr/bin/countersign"
/* The time limits of one question in seconds. */
#define DEFAULT_TIMEOUT 120
#define LONGEST_TIMEOUT 600
/* The time limit of the calls about sessions in seconds. */
#define SESSION_TIMEOUT 5
/* The time that the program has to withdraw its question when it is not wanted any more. */
#define GRACE_MILLISECONDS 6000
/* The longest line of the program in bytes: a QR code of a long link fits. */
#define LONGEST_LINE 16384
/* The greatest number of lines that the program may say. */
#define MOST_LINES 256
/* The longest answer of a person, and the longest value of the head, in bytes. */
#define LONGEST_ANSWER 1024
#define LONGEST_VALUE 256

struct options {
    const char *command;
    long timeout;
};

/* One run of the program. */
struct run {
    pam_handle_t *pamh;
    int lines;      /* the socket to the program; -1 when closed */
    int life;       /* the socket to the keeper; -1 when closed */
    pid_t keeper;   /* 0 when there is none */
    struct timespec deadline;
    size_t filled;
    char buffer[LONGEST_LINE];
};

/* The verdicts of the program. */
enum verdict { SUCCESS, DENIED, UNAVAILABLE, UNKNOWN, FAILED, BROKEN };

/* ---- The time ---- */

static int remaining_milliseconds(const struct run *run) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    long long left = (long long)(run->deadline.tv_sec - now.tv_sec) * 1000
        + (run->deadline.tv_nsec - now.tv_nsec) / 1000000;
    return left < 0 ? 0 : (int)left;
}

static void set_deadline(struct run *run, long seconds) {
    if (clock_gettime(CLOCK_MONOTONIC, &run->deadline) != 0) memset(&run->deadline, 0, sizeof run->deadline);
    run->deadline.tv_sec += seconds;
}

/* Waits until a descriptor is ready, over signals. Returns whether it is, before the deadline. */
static bool is_ready(const struct run *run, int descriptor, short events) {
    for (;;) {
        int left = remaining_milliseconds(run);
        if (left == 0) return false;
        struct pollfd wait = { .fd = descriptor, .events = events };
        int count = poll(&wait, 1, left);
        if (count > 0) return true;
        if (count < 0 && errno != EINTR) return false;
    }
}

/* ---- The keeper and the program: only calls that are safe after a fork ---- */

static void close_from(unsigned first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
    struct rlimit limit;
    unsigned last = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < last) last = (unsigned)limit.rlim_cur;
    for (unsigned descriptor = first; descriptor < last; descriptor++) close((int)descriptor);
}

static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        /* Of a program that is stopped, or goes on, nothing is heard: only its end is awaited. */
        struct sigaction action = { .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP };
        (void)sigaction(number, &action, NULL);
    }
}

/* Becomes the effective user for good: in sudo and su the real one is who called, who may send signals to their own. */
static bool take_effective_user(void) {
    uid_t user = geteuid();
    gid_t group = getegid();
    if (user == 0 && setgroups(0, NULL) != 0) return false;
    return setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0;
}

/* The limits of the program. */
static const struct {
    int resource;
    rlim_t limit;
    const char *name;
} limits[] = {
    { RLIMIT_CORE, 0, "core" },
    { RLIMIT_NOFILE, 1024, "nofile" },
    { RLIMIT_STACK, 8 << 20, "stack" },
    { RLIMIT_AS, RLIM_INFINITY, "as" },
    { RLIMIT_DATA, RLIM_INFINITY, "data" },
    { RLIMIT_CPU, RLIM_INFINITY, "cpu" },
    { RLIMIT_FSIZE, RLIM_INFINITY, "fsize" },
};
#define LIMIT_COUNT ((int)(sizeof limits / sizeof *limits))
/* The status that the keeper reports in place of the program's for the first of the limits, and less for each further one. */
#define LIMIT_STATUS (-2)

/*
 * Gives the program limits of its own. Those of the caller, who may have set them before sudo or su, could make it fail as if
 * the server were away; a user who is not root has no others to give. Returns the index of one that cannot be raised, as by
 * root without CAP_SYS_RESOURCE, and LIMIT_COUNT for none.
 */
static int take_limits(void) {
    for (int index = 0; index < LIMIT_COUNT; index++) {
        struct rlimit own;
        if (getrlimit(limits[index].resource, &own) != 0) return index;
        own.rlim_cur = limits[index].limit;
        /* A greater hard limit stays. */
        if (own.rlim_max < own.rlim_cur) own.rlim_max = own.rlim_cur;
        if (setrlimit(limits[index].resource, &own) != 0 && geteuid() == 0) return index;
    }
    return LIMIT_COUNT;
}

static _Noreturn void become_program(const char *command, char *const environment[], pid_t keeper, int lines) {
    /* A keeper that is killed takes the program along. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) _exit(126);
    if (setpgid(0, 0) != 0 || dup2(lines, 0) < 0 || dup2(lines, 1) < 0) _exit(126);
    close_from(3);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char *const arguments[] = { (char *)command, "pam", NULL };
    execve(command, arguments, environment);
    _exit(127);
}

/*
 * Ends the program with its group, which it leads, and reaps it. At first it may withdraw its question, so that the
 * person is not asked any more.
 */
static void end_program(pid_t program, int ended) {
    kill(-program, SIGTERM);
    kill(program, SIGCONT);
    struct pollfd wait = { .fd = ended, .events = POLLIN };
    (void)poll(&wait, 1, GRACE_MILLISECONDS);
    kill(-program, SIGKILL);
    kill(program, SIGKILL);
    while (waitpid(program, NULL, 0) < 0 && errno == EINTR) {}
}

static _Noreturn void keep(const char *command, char *const environment[], int lines, int life) {
    sigset_t all, child;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    reset_signals();
    (void)setsid();
    umask(077);
    int refused = take_limits();
    if (refused < LIMIT_COUNT) {
        int status = LIMIT_STATUS - refused;
        (void)send(life, &status, sizeof status, MSG_NOSIGNAL);
        _exit(1);
    }
    if (chdir("/") != 0 || !take_effective_user()) _exit(1);
    /* Both are 10 or higher, so that none is overwritten. */
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) _exit(1);
    if (dup2(lines, 3) < 0 || dup2(life, 4) < 0) _exit(1);
    close_from(5);

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int ended = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (ended < 0) _exit(1);
    pid_t self = getpid();
    pid_t program = fork();
    if (program < 0) _exit(1);
    if (program == 0) become_program(command, environment, self, 3);
    (void)setpgid(program, program);
    close(3);

    for (;;) {
        struct pollfd wait[] = { { .fd = ended, .events = POLLIN }, { .fd = 4, .events = POLLIN } };
        if (poll(wait, 2, -1) < 0 && errno != EINTR) break;
        /* The module says nothing on the life line: anything there is its end. */
        if (wait[1].revents != 0) break;
        struct signalfd_siginfo news;
        while (read(ended, &news, sizeof news) > 0) {}
        siginfo_t end = { .si_pid = 0 };
        if (waitid(P_PID, (id_t)program, &end, WEXITED | WNOHANG | WNOWAIT) != 0) break;
        if (end.si_pid != program) continue;
        /* Its number is its own until it is reaped, so that of its group is, too. */
        kill(-program, SIGKILL);
        int status = -1;
        if (waitpid(program, &status, 0) == program) (void)send(4, &status, sizeof status, MSG_NOSIGNAL);
        _exit(0);
    }
    end_program(program, ended);
    _exit(0);
}

/* ---- The run ---- */

/* Moves a descriptor out of the way of 0 to 4, which the application may have closed. */
static int moved_up(int descriptor) {
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
    close(descriptor);
    return moved;
}

static bool make_pair(int pair[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
    for (int index = 0; index < 2; index++) pair[index] = moved_up(pair[index]);
    if (pair[0] >= 0 && pair[1] >= 0) return true;
    for (int index = 0; index < 2; index++) if (pair[index] >= 0) close(pair[index]);
    return false;
}

static bool is_plain(const char *text, size_t longest);

static bool start(struct run *run, const struct options *options) {
    char language[8 + LONGEST_VALUE] = "LANG=C.UTF-8";
    const char *chosen = pam_getenv(run->pamh, "LANG");
    if (chosen != NULL && *chosen != '\0' && is_plain(chosen, LONGEST_VALUE) && strchr(chosen, '/') == NULL)
        snprintf(language, sizeof language, "LANG=%s", chosen);
    char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", language, NULL };

    int lines[2], life[2];
    if (!make_pair(lines)) return false;
    if (!make_pair(life)) {
        close(lines[0]);
        close(lines[1]);
        return false;
    }
    pid_t keeper = fork();
    if (keeper == 0) keep(options->command, environment, lines[1], life[1]);
    close(lines[1]);
    close(life[1]);
    run->lines = lines[0];
    run->life = life[0];
    if (keeper < 0) return false;
    run->keeper = keeper;
    return true;
}

/* Whether a socket has nothing more to read, by what recv returned: its end, or an error that stays. */
static bool is_end(ssize_t count) {
    return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

/* The exit status of the program as of waitpid; -1 when the keeper does not report one in time. */
static int exit_status(const struct run *run) {
    int status = -1;
    size_t got = 0;
    while (got < sizeof status) {
        if (!is_ready(run, run->life, POLLIN)) return -1;
        ssize_t count = recv(run->life, (char *)&status + got, sizeof status - got, MSG_DONTWAIT);
        if (is_end(count)) return -1;
        if (count > 0) got += (size_t)count;
    }
    return status;
}

/* Ends the program and its keeper, and reaps the keeper. */
static void finish(struct run *run) {
    if (run->lines >= 0) close(run->lines);
    run->lines = -1;
    if (run->life < 0) return;
    if (run->keeper > 0) {
        /* Also where another process has a copy of the socket. The other direction stays open, for its end. */
        shutdown(run->life, SHUT_WR);
        set_deadline(run, 2 + GRACE_MILLISECONDS / 1000);
        bool is_over = false;
        while (!is_over && is_ready(run, run->life, POLLIN)) {
            char ignored[64];
            is_over = is_end(recv(run->life, ignored, sizeof ignored, MSG_DONTWAIT));
        }
        /* It still runs, so that its number is no other process's, whatever the application does with SIGCHLD. */
        if (!is_over) kill(run->keeper, SIGKILL);
        while (waitpid(run->keeper, NULL, 0) < 0 && errno == EINTR) {}
    }
    run->keeper = 0;
    close(run->life);
    run->life = -1;
}

/* ---- Lines ---- */

/* Whether a text is not longer than that, and has no control character. */
static bool is_plain(const char *text, size_t longest) {
    size_t length = strnlen(text, longest + 1);
    if (length > longest) return false;
    for (size_t index = 0; index < length; index++) {
        unsigned char byte = (unsigned char)text[index];
        if (byte < 0x20 || byte == 0x7F) return false;
    }
    return true;
}

static bool send_bytes(struct run *run, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = send(run->lines, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            if (!is_ready(run, run->lines, POLLOUT)) return false;
        } else if (count < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Sends a word and a text, in which '\' and the end of a line are written as '\\' and '\n'. */
static bool send_line(struct run *run, const char *word, const char *text) {
    char line[16 + 2 * LONGEST_ANSWER];
    size_t length = (size_t)snprintf(line, sizeof line, "%s ", word);
    for (; *text != '\0'; text++) {
        if (length + 3 > sizeof line) return false;
        if (*text == '\\' || *text == '\n') {
            line[length++] = '\\';
            line[length++] = *text == '\n' ? 'n' : '\\';
        } else {
            line[length++] = *text;
        }
    }
    line[length++] = '\n';
    bool is_sent = send_bytes(run, line, length);
    explicit_bzero(line, sizeof line);
    return is_sent;
}

/* Reads a line without its end into `line`, of LONGEST_LINE bytes. Returns false at the end, and for what is no line. */
static bool read_line(struct run *run, char *line) {
    for (;;) {
        char *end = memchr(run->buffer, '\n', run->filled);
        if (end != NULL) {
            size_t length = (size_t)(end - run->buffer);
            memcpy(line, run->buffer, length);
            line[length] = '\0';
            run->filled -= length + 1;
            memmove(run->buffer, end + 1, run->filled);
            return strlen(line) == length;
        }
        if (run->filled == sizeof run->buffer || !is_ready(run, run->lines, POLLIN)) return false;
        ssize_t count =
            recv(run->lines, run->buffer + run->filled, sizeof run->buffer - run->filled, MSG_DONTWAIT);
        if (count > 0) run->filled += (size_t)count;
        else if (is_end(count)) return false;
    }
}

/* Whether the program has said nothing more, after its end. */
static bool is_silent(struct run *run) {
    char more;
    return run->filled == 0 && recv(run->lines, &more, 1, MSG_DONTWAIT) <= 0;
}

/* Replaces '\n' and '\\' in a text by what they stand for. Returns false for another escape. */
static bool unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '\\') {
            from++;
            if (*from != 'n' && *from != '\\') return false;
            *to++ = *from == 'n' ? '\n' : '\\';
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
    return true;
}

static bool send_value(struct run *run, const char *word, int item) {
    const void *value = NULL;
    if (pam_get_item(run->pamh, item, &value) != PAM_SUCCESS || value == NULL) return true;
    if (*(const char *)value == '\0') return true;
    /* Of a value that cannot stand in a line, it is told that there is one: a host from afar is none from here. */
    return send_line(run, word, is_plain(value, LONGEST_VALUE) ? value : "?");
}

static bool send_number(struct run *run, const char *word, long number) {
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    return send_line(run, word, text);
}

static bool send_head(struct run *run, const struct options *options, const char *event, const char *user) {
    return send_line(run, "version", "1") && send_line(run, "event", event)
        && send_value(run, "service", PAM_SERVICE) && send_line(run, "user", user)
        && send_value(run, "ruser", PAM_RUSER) && send_value(run, "rhost", PAM_RHOST)
        && send_value(run, "tty", PAM_TTY) && send_number(run, "pid", getpid())
        && send_number(run, "parent", getppid()) && send_number(run, "timeout", options->timeout)
        && send_bytes(run, "\n", 1);
}

/* ---- The conversation ---- */

/*
 * Shows a text; false when the application cannot. Where it wants silence, as sudo does by default, it gets no errors;
 * without the other texts, such as the number, nobody could approve.
 */
static bool show(struct run *run, int style, const char *text, int flags) {
    if (style == PAM_ERROR_MSG && ((unsigned)flags & PAM_SILENT) != 0) return true;
    return pam_prompt(run->pamh, style, NULL, "%s", text) == PAM_SUCCESS;
}

/* Asks, and passes the answer on; false when there is none. */
static bool ask(struct run *run, int style, const char *text) {
    char *answer = NULL;
    if (pam_prompt(run->pamh, style, &answer, "%s", text) != PAM_SUCCESS || answer == NULL) {
        (void)send_bytes(run, "hangup\n", 7);
        return false;
    }
    size_t length = strlen(answer);
    /* The program may have decided and gone while the person typed, so that nobody reads it. */
    (void)send_line(run, "answer", is_plain(answer, LONGEST_ANSWER) ? answer : "?");
    explicit_bzero(answer, length);
    free(answer);
    return true;
}

/* The part of a line after a word and a space; NULL for another word. */
static char *text_after(const char *word, char *line) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static enum verdict verdict_in(const char *line) {
    if (strcmp(line, "success") == 0) return SUCCESS;
    if (strcmp(line, "denied") == 0) return DENIED;
    if (strcmp(line, "unavailable") == 0) return UNAVAILABLE;
    if (strcmp(line, "unknown") == 0) return UNKNOWN;
    if (strcmp(line, "failed") == 0) return FAILED;
    return BROKEN;
}

/* Performs a line that is no verdict; false when the conversation is over. */
static bool perform(struct run *run, char *line, int flags) {
    static const struct {
        const char *word;
        int style;
    } words[] = {
        { "info", PAM_TEXT_INFO }, { "error", PAM_ERROR_MSG },
        { "prompt", PAM_PROMPT_ECHO_ON }, { "secret", PAM_PROMPT_ECHO_OFF },
    };
    int level = LOG_NOTICE;
    char *text = text_after("log", line);
    if (text == NULL) {
        level = LOG_ERR;
        text = text_after("log-error", line);
    }
    if (text != NULL) {
        if (!unescape(text) || !is_plain(text, LONGEST_LINE)) return false;
        pam_syslog(run->pamh, level, "%s", text);
        return true;
    }
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++) {
        text = text_after(words[index].word, line);
        if (text == NULL) continue;
        if (!unescape(text)) return false;
        int style = words[index].style;
        if (style == PAM_TEXT_INFO || style == PAM_ERROR_MSG) return show(run, style, text, flags);
        return ask(run, style, text);
    }
    pam_syslog(run->pamh, LOG_ERR, "the program said a line that is none");
    return false;
}

/* Logs that the program has no verdict, and the reason. */
static void log_end(const struct run *run) {
    int status = -1;
    /* The keeper reports a limit before its end, by which the lines end. */
    bool is_reported = recv(run->life, &status, sizeof status, MSG_DONTWAIT) == (ssize_t)sizeof status;
    int index = LIMIT_STATUS - status;
    if (is_reported && index >= 0 && index < LIMIT_COUNT) {
        const char *name = limits[index].name;
        pam_syslog(run->pamh, LOG_ERR, "a limit of this process cannot be raised, for want of CAP_SYS_RESOURCE: %s", name);
        return;
    }
    const char *reason = remaining_milliseconds(run) == 0 ? "did not decide in time" : "ended without a verdict";
    pam_syslog(run->pamh, LOG_ERR, "the program %s", reason);
}

static enum verdict converse(struct run *run, int flags) {
    char line[LONGEST_LINE];
    for (int count = 0; count < MOST_LINES; count++) {
        /* Lines that came before do not prolong it, however long each of them stood on the screen. */
        if (remaining_milliseconds(run) == 0 || !read_line(run, line)) {
            log_end(run);
            return BROKEN;
        }
        enum verdict verdict = verdict_in(line);
        if (verdict == BROKEN) {
            if (!perform(run, line, flags)) return BROKEN;
            continue;
        }
        int status = exit_status(run);
        /* The time is looked at again: a busy machine may have woken us long after it was over. */
        if (status != 0 || !is_silent(run) || remaining_milliseconds(run) == 0) {
            pam_syslog(run->pamh, LOG_ERR, "the program gave a verdict, and did not end as it should");
            return BROKEN;
        }
        return verdict;
    }
    pam_syslog(run->pamh, LOG_ERR, "the program said too many lines");
    return BROKEN;
}

/* ---- The module ---- */

static bool read_options(pam_handle_t *pamh, int count, const char **words, struct options *options) {
    *options = (struct options){ .command = DEFAULT_COMMAND, .timeout = DEFAULT_TIMEOUT };
    for (int index = 0; index < count; index++) {
        const char *word = words[index];
        if (strncmp(word, "command=/", 9) == 0) {
            options->command = word + 8;
        } else if (strncmp(word, "timeout=", 8) == 0) {
            char *end;
            options->timeout = strtol(word + 8, &end, 10);
            if (*end != '\0' || options->timeout < 1 || options->timeout > LONGEST_TIMEOUT) {
                pam_syslog(pamh, LOG_ERR, "timeout= takes 1 to %d seconds", LONGEST_TIMEOUT);
                return false;
            }
        } else {
            pam_syslog(pamh, LOG_ERR, "no such option: %s; there are command=/PATH and timeout=SECONDS", word);
            return false;
        }
    }
    return true;
}

/* Runs the program for an event. */
static enum verdict run_program(pam_handle_t *pamh, const struct options *options, const char *event, int flags) {
    const char *user = NULL;
    int got = pam_get_user(pamh, &user, NULL);
    if (got != PAM_SUCCESS || user == NULL) return BROKEN;
    if (*user == '\0' || !is_plain(user, LONGEST_VALUE)) return UNKNOWN;
    if (faccessat(AT_FDCWD, options->command, X_OK, AT_EACCESS) != 0) {
        pam_syslog(pamh, LOG_ERR, "%s cannot be started: %m", options->command);
        return FAILED;
    }
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) return FAILED;
    run->pamh = pamh;
    run->lines = run->life = -1;
    set_deadline(run, options->timeout);
    enum verdict verdict = FAILED;
    if (!start(run, options)) {
        pam_syslog(pamh, LOG_ERR, "no process could be made: %m");
    } else {
        /* A program that has ended already tells by its last line. */
        (void)send_head(run, options, event, user);
        verdict = converse(run, flags);
    }
    finish(run);
    explicit_bzero(run, sizeof *run);
    free(run);
    return verdict;
}

__attribute__((visibility("default")))
int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    struct options options;
    if (!read_options(pamh, argc, argv, &options)) return PAM_SERVICE_ERR;
    switch (run_program(pamh, &options, "authenticate", flags)) {
    case SUCCESS: return PAM_SUCCESS;
    case UNAVAILABLE: return PAM_AUTHINFO_UNAVAIL;
    case UNKNOWN: return PAM_USER_UNKNOWN;
    case FAILED: return PAM_SERVICE_ERR;
    case DENIED:
    case BROKEN: break;
    }
    return PAM_AUTH_ERR;
}

/* There are no credentials. A stack that ended here at the sign-in ends here for them, too. */
__attribute__((visibility("default")))
int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_SUCCESS;
}

__attribute__((visibility("default")))
int pam_sm_acct_mgmt(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    (void)pamh, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

static int session(pam_handle_t *pamh, const char *event, int argc, const char **argv) {
    struct options options;
    if (!read_options(pamh, argc, argv, &options)) return PAM_SESSION_ERR;
    options.timeout = SESSION_TIMEOUT;
    switch (run_program(pamh, &options, event, PAM_SILENT)) {
    case SUCCESS: return PAM_SUCCESS;
    /* Nobody who signed in here by a person's approval. */
    case UNKNOWN: return PAM_IGNORE;
    case UNAVAILABLE:
    case FAILED:
    case DENIED:
    case BROKEN: break;
    }
    return PAM_SESSION_ERR;
}

__attribute__((visibility("default")))
int pam_sm_open_session(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    (void)flags;
    return session(pamh, "open", argc, argv);
}

__attribute__((visibility("default")))
int pam_sm_close_session(pam_handle_t *pamh, int flags, int argc, const char **argv) {
    (void)flags;
    return session(pamh, "close", argc, argv);
}
