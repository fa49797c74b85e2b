import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { type ReactNode, useState } from "react";
import { LazyBoundary } from "../../components/lazy-boundary";

/** The windows of one key: instructions for programs, and a new secret. */
export interface ApiKeyWindows {
  /** Shows how programs use the key. */
  onConnect: (token: ApiKey) => void;
  /** Opens the window for a new secret, then shows how programs use it. */
  onRotate: (token: ApiKey) => void;
  /** The open window. */
  windows: ReactNode;
}

export const useApiKeyWindows = (): ApiKeyWindows => {
  const [connected, setConnected] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  return {
    onConnect: setConnected,
    onRotate: setRotating,
    windows: (
      <>
        {connected && (
          <LazyBoundary
            load={() => import("./connect-window")}
            with={{ token: connected, onClose: () => setConnected(undefined) }}
            onMissing={() => setConnected(undefined)}
          />
        )}
        {rotating && (
          <LazyBoundary
            load={() => import("./rotate-window")}
            with={{
              token: rotating,
              onRotated: (rotated) => {
                setRotating(undefined);
                setConnected(rotated);
              },
              onClose: () => setRotating(undefined),
            }}
            onMissing={() => setRotating(undefined)}
          />
        )}
      </>
    ),
  };
};
