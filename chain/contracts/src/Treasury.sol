// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ITreasury} from "./interfaces/ITreasury.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Recipient of fees and forfeited stakes
/// @dev Holds no users' money, so it needs no ledger.
contract Treasury is ITreasury, Ownable2Step {
    using SafeERC20 for IERC20;

    constructor(address owner_) Ownable(owner_) {}

    /// @inheritdoc ITreasury
    function withdraw(IERC20 token, address to, uint256 amount) external onlyOwner {
        emit Withdrawn(token, to, amount);
        token.safeTransfer(to, amount);
    }

    /// @notice Always reverts, because the tokens held here would be lost.
    function renounceOwnership() public view override onlyOwner {
        revert OwnershipNotRenounceable();
    }
}
