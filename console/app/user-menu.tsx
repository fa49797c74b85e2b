import { LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { Menu } from "../components/menu";

interface UserMenuProps {
  trigger: ReactElement;
  onLeave: () => void;
  isOpenAtFirst: boolean;
}

/** The dropdown under the username. */
const UserMenu = ({ trigger, onLeave, isOpenAtFirst }: UserMenuProps) => {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={trigger}
      isOpenAtFirst={isOpenAtFirst}
      entries={[
        {
          label: t("nav.logout"),
          icon: <LogOut aria-hidden className="size-4 text-ink-3" />,
          onSelect: onLeave,
        },
      ]}
    />
  );
};

export default UserMenu;
