"""A file system of one file, "cache", on FUSE, whose reads fail or hang as standard input says.

Usage: failing-disk.py MOUNTPOINT

The file's content is in memory and never read from the kernel's cache. Lines of standard input:

  pass     reads that come from now on succeed
  fail     reads that come from now on fail with EIO
  hang     reads that come from now on hang
  let-go   reads that hang fail with EIO
  count    a line with the reads so far, those that failed, and those that hang

Each but the first line of output is the response to one of them; the first is "mounted". At the end of its
input the process ends, and with it the file system: reads that hang fail. Started by unshare, the
file system is in the process' own name space: nothing is left of it, whichever process is killed.
"""

import errno
import os
import stat
import sys
import threading

import fusepy

# Seconds. A process that is killed ends, and so does its side of our input, only after its reads.
LONGEST_HANG = 600


class FailingDisk(fusepy.Operations):
    use_ns = True

    def __init__(self):
        self.content = bytearray()
        self.exists = False
        self.changed = threading.Condition()
        self.mode = "pass"
        self.release = 0
        self.reads = self.failed = self.hanging = 0

    def init(self, path):
        say("mounted")

    def getattr(self, path, fh=None):
        if path == "/":
            return {"st_mode": stat.S_IFDIR | 0o755, "st_nlink": 2}
        if path != "/cache" or not self.exists:
            raise fusepy.FuseOSError(errno.ENOENT)
        return {"st_mode": stat.S_IFREG | 0o644, "st_nlink": 1, "st_size": len(self.content)}

    def create(self, path, mode, fi=None):
        self.exists = True
        return 0

    def truncate(self, path, length, fh=None):
        del self.content[length:]
        self.content.extend(bytes(length - len(self.content)))

    def write(self, path, data, offset, fh):
        self.content[offset : offset + len(data)] = data
        return len(data)

    def read(self, path, size, offset, fh):
        with self.changed:
            self.reads += 1
            if self.mode == "hang":
                round_ = self.release
                self.hanging += 1
                self.changed.wait_for(lambda: self.release != round_, LONGEST_HANG)
                self.hanging -= 1
            elif self.mode == "pass":
                return bytes(self.content[offset : offset + size])
            self.failed += 1
        raise fusepy.FuseOSError(errno.EIO)

    def obey(self, command):
        with self.changed:
            if command == "count":
                return f"{self.reads} {self.failed} {self.hanging}"
            if command == "let-go":
                self.release += 1
                self.changed.notify_all()
            else:
                self.mode = command
        return command


def say(line):
    print(line, flush=True)


def main():
    disk = FailingDisk()

    def commands():
        for line in sys.stdin:
            say(disk.obey(line.strip()))
        os._exit(0)

    threading.Thread(target=commands, daemon=True).start()
    fusepy.FUSE(disk, sys.argv[1], foreground=True, direct_io=True)


main()
