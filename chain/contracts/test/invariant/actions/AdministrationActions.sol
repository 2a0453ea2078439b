// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {vm} from "../../utils/Vm.sol";
import {EndActions} from "./EndActions.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

/// @dev Actions of the owner and the guardian, unauthorised attempts at them, and the passage of
/// time.
abstract contract AdministrationActions is EndActions {
    function setPlatformFee(uint256 seed) external acts(seed) {
        _setPlatformFee();
    }

    function changePanel(uint256 seed) external acts(seed) {
        _changePanel();
    }

    function pause(uint256 seed) external acts(seed) {
        _setPause(_mostly(_once(2) ? guardian : ownerOf[address(escrow)]), !_once(8));
    }

    function unpause(uint256 seed) external acts(seed) {
        if (!rules.paused && !_once(8)) return _setPause(guardian, true);
        _setPause(_mostly(_once(2) ? guardian : ownerOf[address(escrow)]), false);
    }

    function transferOwnership(uint256 seed) external acts(seed) {
        _offerOwnership(_owned());
    }

    function acceptOwnership(uint256 seed) external acts(seed) {
        address owned = _owned();
        if (pendingOwnerOf[owned] == address(0) && !_once(8)) _offerOwnership(owned);
        address caller = _mostly(pendingOwnerOf[owned]);
        bytes memory refusal = _ownershipAccepted(owned, caller);
        _do(caller, owned, abi.encodeCall(escrow.acceptOwnership, ()), refusal);
    }

    function renounceOwnership(uint256 seed) external acts(seed) {
        address owned = _owned();
        address caller = _mostly(ownerOf[owned]);
        bytes memory refusal = _ownershipRenounced(owned, caller);
        _do(caller, owned, abi.encodeCall(escrow.renounceOwnership, ()), refusal);
    }

    function withdrawFromTreasury(uint256 seed) external acts(seed) {
        _withdrawFromTreasury();
    }

    /// @dev Advances the clock: usually by less than a window, sometimes by more than one, rarely
    /// by more than all of them.
    function pass(uint256 seed) external acts(seed) {
        uint256[6] memory spans =
            [uint256(1), 1 hours, 12 hours, 24 hours, 73 hours, 1 + _draw(38 days)];
        if (_once(3)) return _passToAnEdge();
        vm.warp(block.timestamp + (_once(8) ? spans[_draw(6)] : spans[_draw(3)]));
    }

    function _withdrawFromTreasury() internal {
        address caller = _mostly(ownerOf[address(treasury)]);
        address to = _anyAccount();
        uint256 amount = _draw(purse[address(treasury)] + 1);
        if (_once(16)) amount = purse[address(treasury)] + 1;
        bytes memory refusal = _treasuryWithdrawn(caller, to, amount);
        bytes memory call = abi.encodeCall(ITreasury.withdraw, (token, to, amount));
        _do(caller, address(treasury), call, refusal);
    }

    function _setPlatformFee() internal {
        address caller = _mostly(ownerOf[address(escrow)]);
        uint16 fee = uint16(_draw(_once(8) ? 10_001 : 2001));
        bytes memory refusal = _feeSet(caller, fee);
        _do(caller, address(escrow), abi.encodeCall(escrow.setPlatformFee, (fee)), refusal);
    }

    function _changePanel() internal {
        address caller = _mostly(ownerOf[address(escrow)]);
        address[] memory added = _once(2) ? new address[](0) : _newcomers();
        address[] memory removed = _once(2) ? new address[](0) : _leavers();
        uint256 count = members[rules.panel].length + added.length;
        count = count > removed.length ? count - removed.length : 0;
        uint256 spare = count - count / 2;
        uint8 newQuorum = uint8(count / 2 + 1 + _draw(spare == 0 ? 1 : spare));
        if (_once(8)) newQuorum = uint8(_draw(9));
        bytes memory refusal = _panelChanged(caller, added, removed, newQuorum);
        bytes memory call = abi.encodeCall(escrow.changePanel, (added, removed, newQuorum));
        _do(caller, address(escrow), call, refusal);
    }

    function _setPause(address caller, bool paused) internal {
        bytes memory refusal = _pauseSet(caller, paused);
        bytes memory call =
            paused ? abi.encodeCall(escrow.pause, ()) : abi.encodeCall(escrow.unpause, ());
        _do(caller, address(escrow), call, refusal);
    }

    function _mostlyUnpause() internal override {
        if (rules.paused && !_once(6)) _setPause(guardian, false);
    }

    function _offerOwnership(address owned) internal {
        address caller = _mostly(ownerOf[owned]);
        address to = _once(8) ? address(0) : caller == owner ? heir : owner;
        bytes memory refusal = _ownershipOffered(owned, caller, to);
        _do(caller, owned, abi.encodeCall(escrow.transferOwnership, (to)), refusal);
    }

    function _owned() internal returns (address) {
        return _once(2) ? address(escrow) : address(treasury);
    }

    function _treasuryWithdrawn(address caller, address to, uint256 amount)
        private
        returns (bytes memory)
    {
        if (caller != ownerOf[address(treasury)]) return _notOwner(caller);
        if (_refuses(to)) return _payRefusal(to);
        uint256 has = purse[address(treasury)];
        if (amount > has) {
            return abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientBalance.selector, address(treasury), has, amount
            );
        }
        ruledAgainst = address(treasury);
        treasuryWithdrawn += amount;
        emit ITreasury.Withdrawn(token, to, amount);
        _arrive(address(treasury), to, amount);
        return ALLOWED;
    }

    function _newcomers() private returns (address[] memory added) {
        uint256 kind = _draw(24);
        if (kind == 0) {
            added = new address[](33);
            for (uint256 i = 0; i < 33; ++i) {
                added[i] = address(uint160(0x10000 + i));
            }
            return added;
        }
        added = new address[](kind == 1 ? 2 : 1);
        if (kind == 2) return added;
        for (uint256 i = 0; i < added.length; ++i) {
            added[i] = kind < 5
                ? _anyAccount()
                : kind < 10 ? _stake(_findStake(true)).human : candidates[_draw(candidates.length)];
        }
    }

    function _leavers() private returns (address[] memory removed) {
        address[] storage present = members[rules.panel];
        removed = new address[](_once(16) ? 2 : 1);
        for (uint256 i = 0; i < removed.length; ++i) {
            removed[i] = _once(12) ? _anyAccount() : present[_draw(present.length)];
        }
    }

    /// @dev Moves the clock close to the start or end of a live task's or stake's window.
    function _passToAnEdge() private {
        uint256 id = _findTask(IEscrow.Status.Submitted, IEscrow.Status.Disputed);
        if (id == 0 || id >= tasks.length || _once(3)) {
            uint256 stakeId = _findStake(false);
            return _approach(_stake(stakeId).expiresAt);
        }
        Task storage task = _task(id);
        uint256[4] memory edges = [
            task.submittedAt + 24 hours,
            _due(task),
            _settleableAt(task),
            task.lastActivityAt + 30 days
        ];
        _approach(edges[_draw(_once(4) ? 4 : 1)]);
    }
}
