import { LazyBoundary } from "../../components/lazy-boundary";
import type { BulkKind } from "./run-over-channels";
import { useBulkRun } from "./use-bulk-run";

// Fetched with the first run.
const loadBar = () => import("./bulk-progress-bar");

/** How far the runs over all channels are; nothing while there are none. */
export const BulkProgressBars = () => (
  <>
    <Bar kind="test" />
    <Bar kind="balance" />
  </>
);

const Bar = ({ kind }: { kind: BulkKind }) => {
  const { progress } = useBulkRun(kind);
  return progress && <LazyBoundary load={loadBar} with={{ kind, ...progress }} />;
};
