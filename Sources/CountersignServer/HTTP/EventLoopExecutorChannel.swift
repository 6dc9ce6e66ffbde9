internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Answers the requests of a connection on the thread that reads and writes it.
///
/// By default every request moves from that thread to one of Swift's own and back, and on a small machine these
/// switches cost as much as the answers. No slow work is done on these threads: the store and the hashing of
/// passwords have threads of their own, and a task that waits for them does not block the thread.
///
/// The task of a connection with a fast path begins the work of `base` only when a request gets past that path.
struct EventLoopExecutorChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    /// A connection, and when it needs the router; `nil` without a fast path.
    struct Value: ServerChildChannelValue {
        fileprivate let base: Base.Value
        fileprivate let demand: RouterDemand?

        var channel: any Channel { base.channel }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do {
            try channel.syncOptions?.setOption(.recvAllocator, value: SmallReceiveBuffer())
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            guard let fastPath = try? pipeline.handler(type: FastPathHandler.self) else {
                return Value(base: value, demand: nil)
            }
            let demand = RouterDemand()
            try pipeline.addHandler(RouterDemand.Handler(demand), position: .after(fastPath))
            return Value(base: value, demand: demand)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await value.demand?.arises()
        await value.channel.eventLoop.runningTasks {
            await base.handle(value: value.base, logger: logger)
        }
    }
}

extension EventLoop {
    /// Runs `body`, and the tasks that it awaits, on the thread of this loop where the system can do that.
    func runningTasks(_ body: () async -> Void) async {
        if #available(macOS 15, iOS 18, tvOS 18, *) {
            await withTaskExecutorPreference(LoopExecutor(loop: self), operation: body)
        } else {
            await body()
        }
    }

    /// Begins a task on the thread of this loop where the system can do that.
    func beginTask(_ body: sending @escaping () async -> Void) {
        if #available(macOS 15, iOS 18, tvOS 18, *) {
            Task(executorPreference: LoopExecutor(loop: self), operation: body)
        } else {
            Task(operation: body)
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
