// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITokenCustody} from "./interfaces/ITokenCustody.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Token in, token out
/// @dev The rules never look at a balance: each contract keeps its own ledger, so a donation
/// changes nothing. Balances are compared only across one incoming transfer.
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

    /// @dev Charges the caller, never anybody else, exactly `amount`.
    function _charge(uint256 amount) internal {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != amount) revert TransferMismatch(amount, received);
    }

    /// @dev Tries the caller's permit. Its failure is not ours to judge: somebody may have used it
    /// first, and then the allowance is there; if it is not, the charge that follows fails.
    function _tryPermit(uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) internal {
        IERC20Permit permitToken = IERC20Permit(address(token));
        // solhint-disable-next-line no-empty-blocks
        try permitToken.permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}
    }

    /// @dev Pays, or credits when the token refuses. A caller cannot starve a plain token's transfer
    /// of gas to force a credit: of the gas at the call 1/64 stays here, and if that is enough for a
    /// new storage slot then the transfer had over a million; for one written before in the same
    /// transaction, over 180,000.
    function _pay(address account, uint256 amount) internal {
        if (amount == 0 || token.trySafeTransfer(account, amount)) return;
        withdrawable[account] += amount;
        emit Credited(account, amount);
    }
}
