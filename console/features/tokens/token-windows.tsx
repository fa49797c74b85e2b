import type { Token } from "@tollgate/contract/api/tokens";
import { type ReactNode, useState } from "react";
import { LazyBoundary } from "../../components/lazy-boundary";

/** The windows of one key: instructions for programs, and a new secret. */
export interface TokenWindows {
  /** Shows how programs use the key. */
  onConnect: (token: Token) => void;
  /** Opens the window for a new secret, then shows how programs use it. */
  onRotate: (token: Token) => void;
  /** The open window. */
  windows: ReactNode;
}

export const useTokenWindows = (): TokenWindows => {
  const [connected, setConnected] = useState<Token>();
  const [rotating, setRotating] = useState<Token>();
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
