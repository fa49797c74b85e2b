import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { isCodeMissing } from "../lib/missing-code";
import { notify } from "../lib/notify";

interface GuardProps {
  fallback: ReactNode;
  onMissing: () => void;
  children: ReactNode;
}

/** Prevents a piece with missing code from failing the page. All other failures reach the page. */
class MissingCodeGuard extends Component<GuardProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    if (isCodeMissing(error)) this.props.onMissing();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (isCodeMissing(error)) return this.props.fallback;
    throw error;
  }
}

interface LazyBoundaryProps<Props> {
  /** Loads the code, whose default export is the piece. */
  load: () => Promise<{ default: ComponentType<Props> }>;
  /** Props of the piece. */
  with: Props;
  /** Shown until the code has loaded, and if it does not. */
  fallback?: ReactNode;
  /** Called if the code does not load. */
  onMissing?: () => void;
}

/**
 * A window, menu or widget whose code is loaded on first use. If that fails, the user is notified and the page keeps
 * everything typed on it; the next opening tries again.
 */
export const LazyBoundary = <Props extends object>({
  load,
  with: props,
  fallback = null,
  onMissing,
}: LazyBoundaryProps<Props>) => {
  const { t } = useTranslation();
  // Created for each opening: React caches a failed one forever.
  const [Piece] = useState<ComponentType<Props>>(() => lazy(load));
  return (
    <MissingCodeGuard
      fallback={fallback}
      onMissing={() => {
        notify.error(t("page.codeMissing"));
        onMissing?.();
      }}
    >
      <Suspense fallback={fallback}>{createElement(Piece, props)}</Suspense>
    </MissingCodeGuard>
  );
};
