// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title What the two contracts that hold user money share
/// @notice One plain ERC-20 token, taken in by exact amounts and paid out so that a payee who
/// refuses a transfer blocks nobody: the amount is credited and can be fetched later.
interface ITokenCustody {
    /// @notice The balance grew by something else than the amount charged.
    error TransferMismatch(uint256 expected, uint256 received);
    /// @notice There is no credit for this account.
    error NothingToWithdraw(address account);
    /// @notice A constructor argument that must name an account is zero.
    error ZeroAddress();

    /// @notice A payout to `account` failed and waits for `withdrawCredit`.
    event Credited(address indexed account, uint256 amount);
    /// @notice The whole credit of `account` was paid.
    event CreditWithdrawn(address indexed account, uint256 amount);

    /// @notice Pays the whole credit of `account` to it. Anyone may call.
    /// @dev Reverts with the token's own reason while the transfer still fails.
    function withdrawCredit(address account) external;

    /// @notice The token, fixed at deployment.
    function token() external view returns (IERC20);

    /// @notice What `withdrawCredit(account)` would pay, in the token's smallest unit.
    function withdrawable(address account) external view returns (uint256);
}
