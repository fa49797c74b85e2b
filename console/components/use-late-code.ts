import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { isCodeMissing } from "../lib/missing-code";
import { notify } from "../lib/notify";

/**
 * A piece of the page whose code loads on demand. Until `Piece` is set, a plain substitute takes its place: it calls
 * `expect` at the first sign that the code will be needed, and `want` when it is.
 */
export const useLateCode = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): {
  Piece: ComponentType<Props> | undefined;
  expect: () => void;
  want: () => void;
  /** Cancels `want`. */
  forget: () => void;
} => {
  const { t } = useTranslation();
  const [Piece, setPiece] = useState<ComponentType<Props>>();
  const [isWanted, setWanted] = useState(false);
  const fetchPiece = (onFailure: (error: unknown) => void): void => {
    if (!Piece) load().then((loaded) => setPiece(() => loaded.default), onFailure);
  };
  return {
    Piece: isWanted ? Piece : undefined,
    // A failure is reported by `want`.
    expect: () => fetchPiece(() => undefined),
    want: () => {
      setWanted(true);
      fetchPiece((error) => {
        setWanted(false);
        if (isCodeMissing(error)) notify.error(t("page.codeMissing"));
        // Any other failure reaches the page's error boundary.
        else
          setPiece(() => {
            throw error;
          });
      });
    },
    forget: () => setWanted(false),
  };
};
