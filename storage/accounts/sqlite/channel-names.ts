import type { Connection } from "../../sqlite/connection";

/** The names of all channels of a main file that is only read. */
export const channelNames = (connection: Connection) => ({
  all: () =>
    connection.prepare("SELECT id, name FROM channels").all() as unknown as { id: number; name: string }[],
});
