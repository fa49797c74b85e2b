import { Code } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import type { ShownRequest } from "../../lib/request-snippets";

// Loaded with the first look.
const loadCodeWindow = () => import("./code-window");

/** Shows the page's request as programs send it. @param requestOf is called when the window opens. */
export const CodeButton = ({ requestOf }: { requestOf: () => ShownRequest }) => {
  const { t } = useTranslation();
  const [request, setRequest] = useState<ShownRequest>();
  const close = () => setRequest(undefined);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setRequest(requestOf())}>
        <Code aria-hidden className="size-4" />
        {t("playground.showCode")}
      </Button>
      {request && <LazyBoundary load={loadCodeWindow} with={{ request, onClose: close }} onMissing={close} />}
    </>
  );
};
