#!/usr/bin/env python3
"""Plays `countersign pam` for the PAM module, well or badly: the name of the user says how.

`honest…` are the only ones that may end in success. Each behaviour is a function below.
"""

import os
import random
import signal
import sys
import time

# Longer than the module waits: 1 second for an authentication, 5 for a session.
LONG = {"authenticate": 3, "open": 9, "close": 9}


def say(*lines):
    """Says lines at once."""
    try:
        os.write(1, "".join(f"{line}\n" for line in lines).encode())
    except BrokenPipeError:
        pass


def heard():
    """The next line of the module; the empty text at its end."""
    text = b""
    while not text.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            return ""
        text += byte
    return text.decode(errors="replace").rstrip("\n")


def head():
    """The members of the head."""
    members = {}
    while line := heard():
        word, _, value = line.partition(" ")
        members[word] = value
    return members


def honest():
    say("success")


def honest_info():
    say("log all is well", "info Type 42 on your phone", "error A test\\\\of\\nlines", "success")


def honest_error():
    say("error It will take a while", "success")


def honest_prompt():
    say("prompt Open https://id.example.com/?\\nThen press Enter: ")
    if heard().startswith("answer"):
        say("success")
    else:
        say("denied")


def honest_secret():
    say("secret Code: ")
    if heard().startswith("answer"):
        say("success")
    else:
        say("denied")


def honest_early():
    """Decides while the person is at the prompt, and goes."""
    say("prompt The number is 42. Press Enter when you have answered: ", "success")


def honest_large():
    """Shows a picture as large as a terminal."""
    say("prompt " + "\\n".join("\u2588\u2580" * 40 for _ in range(50)) + "\\nEnter: ")
    if heard().startswith("answer"):
        say("success")


def denied():
    say("denied")


def unavailable():
    say("unavailable")


def unknown():
    say("log-error pam.json: no issuer", "unknown")


def failed():
    say("log pam.json: no issuer", "failed")


def silence():
    time.sleep(LONG[EVENT])


def garbage():
    os.write(1, random.randbytes(random.randrange(1, 5000)))


def endless_garbage():
    while True:
        os.write(1, random.randbytes(4096))


def huge_line():
    os.write(1, b"info " + b"x" * 200_000 + b"\nsuccess\n")


def endless_line():
    while True:
        os.write(1, b"x" * 4096)


def endless_infos():
    while True:
        say("info x")


def nul_in_line():
    os.write(1, b"success\0\n")


def nul_before():
    os.write(1, b"\0success\n")


def wrong_escape():
    say("info \\x41", "success")


def escape_at_end():
    say("info \\", "success")


def closes():
    os.close(1)
    os.close(0)
    time.sleep(LONG[EVENT])


def ends_at_once():
    pass


def success_without_end():
    os.write(1, b"success")


def success_without_line_and_zero():
    os.write(1, b"succes\n")


def success_then_status_1():
    say("success")
    sys.exit(1)


def success_then_signal():
    say("success")
    os.kill(os.getpid(), signal.SIGKILL)


def success_twice():
    say("success", "success")


def success_then_words():
    say("success", "info one more thing")


def success_then_later_words():
    say("success")
    time.sleep(0.05)
    os.write(1, b"x")


def success_then_denied():
    say("success", "denied")


def denied_then_success():
    say("denied", "success")


def success_and_stays():
    say("success")
    time.sleep(LONG[EVENT])


def success_and_stops():
    say("success")
    os.kill(os.getpid(), signal.SIGSTOP)


def stops():
    os.kill(os.getpid(), signal.SIGSTOP)


def stops_its_parent():
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(LONG[EVENT])


def kills_its_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    say("success")


def killed():
    os.kill(os.getpid(), signal.SIGSEGV)


def ignores_signals():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(LONG[EVENT])


def success_in_words():
    say("success ", "Success", " success")


def success_with_return():
    os.write(1, b"success\r\n")


def success_as_info():
    say("info success")


def forks_and_ends():
    """A second process keeps the socket open, in the same group."""
    if os.fork() == 0:
        time.sleep(LONG[EVENT])
        say("success")
        os._exit(0)


def success_of_a_child():
    """The second process says the word; the first ends with another status."""
    if os.fork() == 0:
        say("success")
        os._exit(0)
    time.sleep(0.05)
    sys.exit(2)


def asks_for_ever():
    while True:
        say("prompt Again: ")
        if not heard():
            return


def prompt_then_silence():
    say("prompt Enter: ")
    heard()
    time.sleep(LONG[EVENT])


def prompt_then_status_1():
    say("prompt Enter: ")
    heard()
    say("success")
    sys.exit(3)


def writes_and_does_not_read():
    """Fills what the module may have to say."""
    for _ in range(100):
        say("prompt x")
    time.sleep(LONG[EVENT])


def one_byte_at_a_time():
    for byte in b"info slow\ndenied\n":
        os.write(1, bytes([byte]))
        time.sleep(0.01)


def main():
    global EVENT
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    names = head()
    EVENT = names["event"]
    assert names["version"] == "1" and EVENT in LONG, names
    random.seed(names["pid"])
    with open("/proc/self/environ", encoding="utf-8", errors="replace") as file:
        variables = sorted(word.partition("=")[0] for word in file.read().split("\0") if word)
    assert variables == ["LANG", "PATH"], variables
    descriptors = sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1]
    assert descriptors == [0, 1, 2], descriptors
    globals()[names["user"].partition(".")[0]]()


if sys.argv[1:] == ["--list"]:
    print(*(name for name, value in list(globals().items())
            if callable(value) and name not in ("say", "heard", "head", "main")))
else:
    main()
