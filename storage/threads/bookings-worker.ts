import { workerData } from "node:worker_threads";
import { openBookings } from "../accounts/postgres/open-bookings";
import type { Groups } from "./answer-call";
import { serveCalls } from "./serve-calls";

/* The thread that books charges in a database: a batch takes several statements, which would take time of the thread that relays. */

const { bookings, ...opened } = openBookings(workerData as string);
serveCalls({ ...opened, groups: { bookings } as unknown as Groups });
