import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { ConfirmButton } from "./confirm-button";
import { LazyBoundary } from "./lazy-boundary";

interface WindowProps {
  isOpen: boolean;
  onClose: () => void;
}

interface WindowButtonProps<Props extends WindowProps> {
  label: string;
  isBusy: boolean;
  load: () => Promise<{ default: ComponentType<Props> }>;
  with: Omit<Props, keyof WindowProps>;
}

/** A button that opens a window, which keeps what is typed while the bar is shown. */
export const WindowButton = <Props extends WindowProps>({
  label,
  isBusy,
  load,
  with: props,
}: WindowButtonProps<Props>) => {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-haspopup="dialog"
        disabled={isBusy}
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        {label}
      </Button>
      {wasOpened && (
        <LazyBoundary
          load={load}
          // TypeScript does not put generic props together again.
          with={{ ...props, isOpen, onClose: () => setOpen(false) } as unknown as Props}
          onMissing={() => setOpened(false)}
        />
      )}
    </>
  );
};

interface SwitchButtonsProps {
  isBusy: boolean;
  onSwitch: (action: "enable" | "disable") => void;
}

/** Enables or disables the selected records. */
export const SwitchButtons = ({ isBusy, onSwitch }: SwitchButtonsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <Button size="small" disabled={isBusy} onClick={() => onSwitch("enable")}>
        {t("action.enable")}
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => onSwitch("disable")}>
        {t("action.disable")}
      </Button>
    </>
  );
};

interface DeleteButtonProps {
  isBusy: boolean;
  question: string;
  consequence: string;
  confirm: string;
  onDelete: () => Promise<unknown>;
}

/** Deletes the selected records after a question that names their number. */
export const DeleteButton = ({ isBusy, onDelete, ...texts }: DeleteButtonProps) => {
  const { t } = useTranslation();
  return (
    <ConfirmButton size="small" variant="quietDanger" disabled={isBusy} onConfirm={onDelete} {...texts}>
      {t("action.delete")}
    </ConfirmButton>
  );
};
