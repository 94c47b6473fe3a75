"""What there is to say of a setting beside its name, type, default and description, on the field that declares it."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct, inspect

SETTING: Final = "setting"  # in `Meta(extra={SETTING: Setting(…)})`


class Setting(Struct, frozen=True, kw_only=True):
    """What there is to say of a field beside its name, type, default and description."""

    no_option: str = ""  # why no `-s KEY=VALUE` sets it
    may_change: bool = False  # when a run is carried on; it changes no game
    is_machine: bool = False  # how it is played on this machine: no part of the tournament

    @property
    def is_of_run(self) -> bool:
        """Whether each run of a tournament may have another value."""
        return self.is_machine or self.may_change


def said(**words: Any) -> dict[str, Setting]:  # noqa: ANN401 - fields of a setting
    """Return what `Meta(extra=…)` of a field takes, for what is said of it."""
    return {SETTING: Setting(**words)}


def find_setting(kind: inspect.Type) -> Setting:
    """Return what is said of a field of this type."""
    if isinstance(kind, inspect.UnionType):
        return next((found for one in kind.types if (found := find_setting(one)) != Setting()), Setting())
    if not isinstance(kind, inspect.Metadata):
        return Setting()
    setting = (kind.extra or {}).get(SETTING)
    return setting if isinstance(setting, Setting) else find_setting(kind.type)
