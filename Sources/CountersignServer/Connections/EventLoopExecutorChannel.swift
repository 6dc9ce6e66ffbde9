internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Answers the requests of a connection on the thread that reads and writes it.
///
/// By default every request moves from that thread to one of Swift's own and back, and on a small machine these
/// switches cost as much as the answers. No slow work is done on these threads: the store and the hashing of
/// passwords have threads of their own, and a task that waits for them does not block the thread.
struct EventLoopExecutorChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        if #available(macOS 15, iOS 18, tvOS 18, *) {
            await withTaskExecutorPreference(LoopExecutor(loop: value.channel.eventLoop)) {
                await base.handle(value: value, logger: logger)
            }
        } else {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs the jobs of tasks on one event loop.
@available(macOS 15, iOS 18, tvOS 18, *)
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
