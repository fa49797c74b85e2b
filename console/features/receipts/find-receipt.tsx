import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { TextField } from "../../components/text-field";

/** Finds another receipt by the request id in every answer of the gateway. */
export const FindReceipt = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  return (
    <form
      className="flex w-full max-w-sm items-end gap-2 text-start"
      onSubmit={(event) => {
        event.preventDefault();
        const requestId = text.trim();
        if (requestId !== "") void navigate({ to: "/log/receipt/$requestId", params: { requestId } });
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label={t("receipt.find")}
          value={text}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit">{t("receipt.open")}</Button>
    </form>
  );
};
