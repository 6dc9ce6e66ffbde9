internal import NIOCore

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
