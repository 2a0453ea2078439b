// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITokenCustody} from "./interfaces/ITokenCustody.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Token deposits and payouts
/// @dev Amounts come from each contract's own ledger, never from a balance, so a donation has no
/// effect. Balances are compared only before and after one incoming transfer.
abstract contract TokenCustody is ITokenCustody, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @inheritdoc ITokenCustody
    IERC20 public immutable override token;

    /// @inheritdoc ITokenCustody
    mapping(address account => uint256 amount) public override withdrawable;

    constructor(IERC20 token_) {
        if (address(token_) == address(0)) revert ZeroAddress();
        token = token_;
    }

    /// @inheritdoc ITokenCustody
    function withdrawCredit(address account) external nonReentrant {
        uint256 amount = withdrawable[account];
        // Check
        if (amount == 0) revert NothingToWithdraw(account);
        // Effect
        withdrawable[account] = 0;
        emit CreditWithdrawn(account, amount);
        // Interaction
        token.safeTransfer(account, amount);
    }

    /// @dev Charges the caller exactly `amount`.
    function _charge(uint256 amount) internal {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != amount) revert TransferMismatch(amount, received);
    }

    /// @dev Tries the caller's permit and ignores a failure: if another transaction has used the
    /// permit, the allowance exists; without an allowance the charge that follows reverts.
    function _tryPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) internal {
        IERC20Permit permitToken = IERC20Permit(address(token));
        // solhint-disable-next-line no-empty-blocks
        try permitToken.permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
    }

    /// @dev Pays, or credits the amount if the transfer fails. A caller cannot force a credit by
    /// limiting the gas of a plain token's transfer: 1/64 of the gas stays here. If that is enough
    /// to write a new storage slot, the transfer had over a million gas; for a slot already written
    /// in the same transaction, over 180,000.
    function _pay(address account, uint256 amount) internal {
        if (amount == 0 || token.trySafeTransfer(account, amount)) return;
        withdrawable[account] += amount;
        emit Credited(account, amount);
    }
}
