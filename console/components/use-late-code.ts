import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { isCodeMissing } from "../lib/missing-code";
import { notify } from "../lib/notify";

/**
 * A piece of the page that comes alive when a person turns to it. Until `Piece` is there, something plain stands in its
 * place: it calls `expect` at the first sign that the code will be needed, and `want` when it is.
 */
export const useLateCode = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): {
  Piece: ComponentType<Props> | undefined;
  expect: () => void;
  want: () => void;
  /** Takes back what was wanted. */
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
    // A failure is reported when the code is wanted.
    expect: () => fetchPiece(() => undefined),
    want: () => {
      setWanted(true);
      fetchPiece((error) => {
        setWanted(false);
        if (isCodeMissing(error)) notify.error(t("page.codeMissing"));
        // Any other failure is the page's.
        else
          setPiece(() => {
            throw error;
          });
      });
    },
    forget: () => setWanted(false),
  };
};
