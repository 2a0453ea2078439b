// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPanels} from "./interfaces/IPanels.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Numbered panels of validators
/// @dev A membership is the half-open range of panels [addedIn, removedIn), so checking a validator
/// in any past panel reads one slot.
abstract contract Panels is IPanels {
    using SafeCast for uint256;

    struct Membership {
        uint16 addedIn;
        uint16 removedIn; // 0 while a member
    }

    struct Panel {
        uint8 validators;
        uint8 quorum;
    }

    /// @inheritdoc IPanels
    uint256 public constant override MAX_VALIDATORS = 32;

    mapping(address account => Membership) private _memberships;
    mapping(uint256 panelNumber => Panel) private _panels;
    uint16 private _current;

    /// @inheritdoc IPanels
    function panel() public view returns (uint256) {
        return _current;
    }

    /// @inheritdoc IPanels
    function quorumOf(uint256 panelNumber) public view returns (uint8) {
        return _panels[panelNumber].quorum;
    }

    /// @inheritdoc IPanels
    function validatorCountOf(uint256 panelNumber) external view returns (uint8) {
        return _panels[panelNumber].validators;
    }

    /// @inheritdoc IPanels
    function isValidator(address account) public view returns (bool) {
        Membership storage membership = _memberships[account];
        return membership.addedIn != 0 && membership.removedIn == 0;
    }

    /// @inheritdoc IPanels
    function validatorIn(address account, uint256 panelNumber) public view returns (bool) {
        Membership storage membership = _memberships[account];
        (uint256 addedIn, uint256 removedIn) = (membership.addedIn, membership.removedIn);
        if (addedIn == 0 || panelNumber < addedIn) return false;
        return removedIn == 0 || panelNumber < removedIn;
    }

    /// @dev Creates the next panel from the current one.
    function _changePanel(address[] memory added, address[] memory removed, uint8 quorum) internal {
        Panel memory previous = _panels[_current];
        // A change is announced only by its events: a panel without a change would emit none.
        if (added.length == 0 && removed.length == 0 && quorum == previous.quorum) {
            revert PanelUnchanged();
        }
        uint16 next = ++_current;
        for (uint256 i = 0; i < removed.length; ++i) {
            _remove(removed[i], next);
        }
        for (uint256 i = 0; i < added.length; ++i) {
            _add(added[i], next);
        }

        // Every removed account was a validator, so the subtraction cannot underflow.
        uint256 validators = uint256(previous.validators) + added.length - removed.length;
        if (validators > MAX_VALIDATORS) revert TooManyValidators(validators, MAX_VALIDATORS);
        // A majority: an approving and a rejecting verdict can never both reach the quorum.
        if (uint256(quorum) * 2 <= validators || quorum > validators) {
            revert InvalidQuorum(quorum, validators);
        }
        _panels[next] = Panel(validators.toUint8(), quorum);
        if (quorum != previous.quorum) emit QuorumChanged(quorum, next);
    }

    function _add(address validator, uint16 next) private {
        if (validator == address(0)) revert ValidatorZero();
        if (_memberships[validator].addedIn != 0) revert ValidatorKnown(validator);
        _memberships[validator].addedIn = next;
        emit ValidatorAdded(validator, next);
    }

    function _remove(address validator, uint16 next) private {
        if (!isValidator(validator)) revert ValidatorUnknown(validator);
        _memberships[validator].removedIn = next;
        emit ValidatorRemoved(validator, next);
    }
}
