/** Reconciles an archive on several machines. */
export * as Cluster from "./Cluster.ts"
export * as ClusterError from "./ClusterError.ts"
export * as DaySchedule from "./DaySchedule.ts"
export * as Job from "./Job.ts"
export * as Question from "./Question.ts"
export * as Reconciling from "./Reconciling.ts"
export * as Runner from "./Runner.ts"
export * as Schedules from "./Schedules.ts"
