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

/** Keeps a piece whose code does not arrive from taking the page with it. Any other failure is the page's. */
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
  /** Fetches the code, whose default export is the piece. */
  load: () => Promise<{ default: ComponentType<Props> }>;
  /** What the piece is given. */
  with: Props;
  /** Stands there until the code has come, and where it does not. */
  fallback?: ReactNode;
  /** Called when the code does not come. */
  onMissing?: () => void;
}

/**
 * A window, a menu or a widget whose code is fetched when it is first wanted. Where the code does not come, the person
 * is told and the page stays with everything typed on it; the next opening tries again.
 */
export const LazyBoundary = <Props extends object>({
  load,
  with: props,
  fallback = null,
  onMissing,
}: LazyBoundaryProps<Props>) => {
  const { t } = useTranslation();
  // Made again for each opening: React remembers a failed one for ever.
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
