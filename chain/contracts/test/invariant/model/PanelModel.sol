// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAdministration} from "../../../src/interfaces/IAdministration.sol";
import {IPanels} from "../../../src/interfaces/IPanels.sol";
import {MoneyModel} from "./MoneyModel.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @dev Models the decisions of the owner and the guardian. Each panel is stored as a complete set.
abstract contract PanelModel is MoneyModel {
    struct Rules {
        uint16 fee;
        bool paused;
        uint32 panel;
    }

    Rules internal rules;
    mapping(address owned => address) internal pendingOwnerOf;
    mapping(address owned => address) internal ownerOf;

    mapping(uint256 panel => mapping(address => bool)) internal sits;
    mapping(uint256 panel => address[]) internal members;
    mapping(uint256 panel => uint8) internal quorum;
    mapping(address account => bool) internal wasAdded;

    constructor() {
        (rules.fee, rules.panel) = (FIRST_FEE, 1);
        (ownerOf[address(escrow)], ownerOf[address(treasury)]) = (owner, owner);
        quorum[1] = FIRST_QUORUM;
        for (uint256 i = 0; i < FIRST_VALIDATORS; ++i) {
            _seat(candidates[i], 1);
            wasAdded[candidates[i]] = true;
        }
    }

    function _isValidator(address account) internal view returns (bool) {
        return sits[rules.panel][account];
    }

    function _notOwner(address caller) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller);
    }

    function _feeSet(address caller, uint16 fee) internal returns (bytes memory) {
        if (caller != ownerOf[address(escrow)]) return _notOwner(caller);
        if (fee > 2000) {
            return abi.encodeWithSelector(IAdministration.FeeTooHigh.selector, fee, 2000);
        }
        rules.fee = fee;
        emit IAdministration.FeeChanged(fee);
        return ALLOWED;
    }

    function _pauseSet(address caller, bool paused) internal returns (bytes memory) {
        if (caller != ownerOf[address(escrow)] && caller != guardian) {
            return abi.encodeWithSelector(IAdministration.NotOwnerOrGuardian.selector, caller);
        }
        if (paused == rules.paused) {
            return abi.encodeWithSelector(
                paused ? Pausable.EnforcedPause.selector : Pausable.ExpectedPause.selector
            );
        }
        rules.paused = paused;
        if (paused) emit Pausable.Paused(caller);
        else emit Pausable.Unpaused(caller);
        return ALLOWED;
    }

    function _panelChanged(
        address caller,
        address[] memory added,
        address[] memory removed,
        uint8 newQuorum
    ) internal returns (bytes memory refusal) {
        if (caller != ownerOf[address(escrow)]) return _notOwner(caller);
        refusal = _panelRefusal(added, removed, newQuorum);
        if (refusal.length != 0) return refusal;
        uint32 previous = rules.panel;
        uint32 next = ++rules.panel;
        quorum[next] = newQuorum;
        address[] storage before = members[previous];
        for (uint256 i = 0; i < before.length; ++i) {
            if (!_contains(removed, before[i], removed.length)) _seat(before[i], next);
            else emit IPanels.ValidatorRemoved(before[i], next);
        }
        for (uint256 i = 0; i < added.length; ++i) {
            _seat(added[i], next);
            wasAdded[added[i]] = true;
            emit IPanels.ValidatorAdded(added[i], next);
        }
        if (newQuorum != quorum[previous]) emit IPanels.QuorumChanged(newQuorum, next);
        return ALLOWED;
    }

    function _ownershipOffered(address owned, address caller, address to)
        internal
        returns (bytes memory)
    {
        if (caller != ownerOf[owned]) return _notOwner(caller);
        pendingOwnerOf[owned] = to;
        emit Ownable2Step.OwnershipTransferStarted(caller, to);
        return ALLOWED;
    }

    function _ownershipAccepted(address owned, address caller) internal returns (bytes memory) {
        if (caller != pendingOwnerOf[owned]) return _notOwner(caller);
        emit Ownable.OwnershipTransferred(ownerOf[owned], caller);
        (ownerOf[owned], pendingOwnerOf[owned]) = (caller, address(0));
        return ALLOWED;
    }

    function _ownershipRenounced(address owned, address caller)
        internal
        view
        returns (bytes memory)
    {
        if (caller != ownerOf[owned]) return _notOwner(caller);
        return abi.encodeWithSelector(IAdministration.OwnershipNotRenounceable.selector);
    }

    function _panelRefusal(address[] memory added, address[] memory removed, uint8 newQuorum)
        private
        view
        returns (bytes memory)
    {
        uint256 count = members[rules.panel].length;
        if (added.length + removed.length == 0 && newQuorum == quorum[rules.panel]) {
            return abi.encodeWithSelector(IPanels.PanelUnchanged.selector);
        }
        for (uint256 i = 0; i < removed.length; ++i) {
            if (!_isValidator(removed[i]) || _contains(removed, removed[i], i)) {
                return abi.encodeWithSelector(IPanels.ValidatorUnknown.selector, removed[i]);
            }
        }
        for (uint256 i = 0; i < added.length; ++i) {
            if (added[i] == address(0)) {
                return abi.encodeWithSelector(IPanels.ValidatorZero.selector);
            }
            if (wasAdded[added[i]] || _contains(added, added[i], i)) {
                return abi.encodeWithSelector(IPanels.ValidatorKnown.selector, added[i]);
            }
        }
        count = count + added.length - removed.length;
        if (count > 32) {
            return abi.encodeWithSelector(IPanels.TooManyValidators.selector, count, 32);
        }
        if (uint256(newQuorum) * 2 > count && newQuorum <= count) return ALLOWED;
        return abi.encodeWithSelector(IPanels.InvalidQuorum.selector, newQuorum, count);
    }

    function _seat(address validator, uint256 panel) private {
        sits[panel][validator] = true;
        members[panel].push(validator);
    }

    /// @dev Whether the account is among the first `count` entries of `list`.
    function _contains(address[] memory list, address account, uint256 count)
        private
        pure
        returns (bool)
    {
        for (uint256 i = 0; i < count; ++i) {
            if (list[i] == account) return true;
        }
        return false;
    }
}
