import { LazyBoundary } from "../../components/lazy-boundary";
import type { BulkKind } from "./run-over-channels";
import { useBulkRun } from "./use-bulk-run";

// Loaded with the first run.
const loadBar = () => import("./bulk-progress-bar");

/** Progress of the runs over all channels; empty without any. */
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
