// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {Handler} from "./Handler.sol";
import {FickleToken} from "./model/FickleToken.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @dev A profile in which the token sometimes misbehaves and a recipient calls back during a
/// payment.
contract OddHandler is Handler {
    constructor() {
        _registerAction(FickleToken.misbehave.selector, "misbehave");
        _registerAction(reenterer.tokensReceived.selector, "reentrant-call");
        _registerReason(ITokenCustody.TransferMismatch.selector, "TransferMismatch");
        _registerReason(SafeERC20.SafeERC20FailedOperation.selector, "SafeERC20FailedOperation");
        _registerReason(
            ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector,
            "ReentrancyGuardReentrantCall"
        );
    }

    /// @dev Enables a random token fault for the next few actions.
    function misbehave(uint256 seed) external acts(seed) {
        uint256 faults = uint256(type(FickleToken.Fault).max);
        _misbehave(FickleToken.Fault(1 + _draw(faults)));
    }

    /// @dev Prepares a reentrant call and a token with a transfer hook, then triggers a payment.
    function reenter(uint256 seed) external acts(seed) {
        uint256 stakeId = _stakeOf(address(reenterer));
        if (stakeId == 0) {
            _applyAs(address(reenterer), _taskIn(IEscrow.Status.Posted, IEscrow.Status.Posted));
            stakeId = _stakeOf(address(reenterer));
        }
        if (fault != FickleToken.Fault.Hook) _misbehave(FickleToken.Fault.Hook);
        if (refused[address(reenterer)]) _refuse(address(reenterer), false);
        armed = Reentry(1 + _draw(uint256(type(Reentry).max)));
        reentryId = 1 + _draw(armed == Reentry.WithdrawStake ? stakes.length : tasks.length);
        reentryAmount = _requiredStake(reentryId);
        reenterer.arm(_reentryTarget(armed), _reentryCall());
        if (!_once(4)) _withdraw(address(reenterer), stakeId);
    }

    /// @dev Ends the token fault after a few actions, because a faulty token blocks most other
    /// actions.
    function _interfere() internal override {
        if (fault != FickleToken.Fault.None && _once(3)) _misbehave(FickleToken.Fault.None);
    }
}
