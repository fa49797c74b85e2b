import {
  confirmSecondFactor,
  removeSecondFactor,
  replaceBackupCodes,
  setUpSecondFactor,
} from "@tollgate/contract/api/second-factor";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { BackupCodes } from "./backup-codes";
import { CodeForm } from "./code-form";
import { SecondFactorSetup } from "./second-factor-setup";

/** What a window does with one's own second factor. */
export type SecondFactorTask = "set-up" | "renew" | "remove" | "exchange";

interface WindowProps {
  onClose: () => void;
}

const SetUp = ({ onClose }: WindowProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const confirm = useEndpoint(confirmSecondFactor, refused);
  const done = () => {
    notify.success(t("secondFactor.confirmed"));
    onClose();
  };
  return (
    <SecondFactorSetup
      begin={setUpSecondFactor}
      isBusy={confirm.isPending}
      refused={refused}
      onCode={(code) => confirm.mutate({ body: { code } }, { onSuccess: done })}
    />
  );
};

const Renew = ({ onClose }: WindowProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const renew = useEndpoint(replaceBackupCodes, refused);
  if (renew.data)
    return (
      <div className="flex flex-col gap-5">
        <BackupCodes codes={renew.data.backup_codes} />
        <Button variant="primary" className="self-end" onClick={onClose}>
          {t("secondFactor.kept")}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-2">{t("secondFactor.renewText")}</p>
      <CodeForm
        confirm={t("secondFactor.renew")}
        takesBackupCodes
        isBusy={renew.isPending}
        refused={refused}
        onCode={(code) => renew.mutate({ body: { code } })}
      />
    </div>
  );
};

/** @param isRequired whether the site requires a second factor: its owner sets up another at the next sign-in. */
const Remove = ({ onClose, isRequired = false }: WindowProps & { isRequired?: boolean }) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const remove = useEndpoint(removeSecondFactor, refused);
  const done = () => {
    notify.success(t("secondFactor.removed"));
    onClose();
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-2">
        {isRequired ? t("secondFactor.exchangeText") : t("secondFactor.removeText")}
      </p>
      <CodeForm
        confirm={isRequired ? t("secondFactor.exchange") : t("secondFactor.remove")}
        takesBackupCodes
        isDanger
        isBusy={remove.isPending}
        refused={refused}
        onCode={(code) => remove.mutate({ body: { code } }, { onSuccess: done })}
      />
    </div>
  );
};

const Exchange = ({ onClose }: WindowProps) => <Remove onClose={onClose} isRequired />;

const PARTS = { "set-up": SetUp, renew: Renew, remove: Remove, exchange: Exchange } as const;

/** The window in which one's own second factor is set up, gets new backup codes, or is removed. */
const SecondFactorWindow = ({ task, onClose }: WindowProps & { task: SecondFactorTask }) => {
  const { t } = useTranslation();
  const Part = PARTS[task];
  return (
    <Dialog isOpen onClose={onClose} title={t(`secondFactor.title.${task}`)}>
      <Part onClose={onClose} />
    </Dialog>
  );
};

export default SecondFactorWindow;
