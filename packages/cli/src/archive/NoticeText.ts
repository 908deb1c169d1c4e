/** What became of notices, in lines for a log. */
import type * as Notices from "@tallystick/archive/Notices"
import * as Text from "@tallystick/report/text/Text"

export interface Lines {
  readonly news: ReadonlyArray<string>
  readonly complaints: ReadonlyArray<string>
}

/** Tells of notices for destinations that the command does not name. */
export const abandoned = (count: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
      `${
        Text.counted(count, "notice")
      } given up: not taken in 7 days, for a destination that is not named any more; tallystick open lists what waits`
    ]

/** Tells what became of the notices for a receiver; nothing where none was due. */
export const delivered = ({ failure, givenUp, receiver, sent, waiting }: Notices.Delivered): Lines => ({
  news: sent === 0 ? [] : [`${Text.counted(sent, "notice")} sent to ${receiver.place}`],
  complaints: [
    ...(givenUp === 0
      ? []
      : [
        `${
          Text.counted(givenUp, "notice")
        } for ${receiver.place} given up: not taken in 7 days; tallystick open lists what waits`
      ]),
    ...(failure === undefined
      ? []
      : [
        `${failure.message}; ${
          waiting === 1 ? "1 notice waits" : `${Text.count(waiting)} notices wait`
        } for a later run, for 7 days at most`
      ])
  ]
})
